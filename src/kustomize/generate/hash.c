#include "kustomize/generate/hash.h"

#include "base/sha256.h"
#include "doc/emit.h"
#include "kustomize/quirks.h"
#include "kustomize/shared.h"
#include "res/scalar.h"

enum { DUMP_DEPTH = 1000 };

/* ---- ConfigMaps and Secrets */

static void add_key(const char *key, struct buf *out)
{
    if (out->p[out->len - 1] != '{')
        buf_add_char(out, ',');
    buf_addf(out, "\"%s\":", key);
}

/* A map as JSON, a scalar as its text, what is missing as the empty text; a list is nothing. */
static void add_field(const struct doc_node *object, const char *key, struct buf *out)
{
    const struct doc_node *n = doc_get(object, str_of(key));

    add_key(key, out);
    if (doc_is_list(n))
        buf_add_cstr(out, "null");
    else if (doc_is_map(n))
        doc_emit_json(n, DOC_JSON_SORTED | DOC_JSON_HTML | DOC_JSON_CANON, out);
    else
        doc_json_quote(doc_text(n, STR_NONE), DOC_JSON_HTML, out);
}

static void add_map_field(const struct doc_node *object, const char *key, struct buf *out)
{
    if (doc_is_map(doc_get(object, str_of(key))))
        add_field(object, key, out);
}

static void add_head(const char *kind, struct buf *out)
{
    add_key("kind", out);
    buf_addf(out, "\"%s\"", kind);
    add_key("name", out); /* always empty: the hash goes over the content */
    buf_add_cstr(out, "\"\"");
}

static void config_map_text(const struct doc_node *object, struct buf *out)
{
    buf_add_char(out, '{');
    add_map_field(object, "binaryData", out);
    add_field(object, "data", out);
    add_head("ConfigMap", out);
    buf_add_char(out, '}');
}

static void secret_text(const struct doc_node *object, struct buf *out)
{
    buf_add_char(out, '{');
    add_field(object, "data", out);
    add_head("Secret", out);
    add_map_field(object, "stringData", out);
    add_field(object, "type", out);
    buf_add_char(out, '}');
}

/* ---- other kinds: the reader's node tree, with its places, as upstream dumps it */

struct dump_node {
    int kind;
    enum doc_style style;
    str tag, value, head, line_comment, foot;
    struct doc_place place;
};

static int style_bits(enum doc_style style, bool is_collection)
{
    switch (style) {
    case DOC_PLAIN:
        return 0;
    case DOC_DOUBLE:
        return 2;
    case DOC_SINGLE:
        return 4;
    case DOC_LITERAL:
        return 8;
    case DOC_FOLDED:
        return 16;
    case DOC_FLOW:
        return is_collection ? 32 : 0;
    }
    return 0;
}

static void begin_node(const struct dump_node *d, struct buf *out)
{
    buf_addf(out, "{\"Kind\":%d,\"Style\":%d,\"Tag\":\"%.*s\",\"Value\":", d->kind,
             style_bits(d->style, d->kind != 8), STR_ARG(d->tag));
    doc_json_quote(d->value, DOC_JSON_HTML, out);
    buf_add_cstr(out, ",\"Anchor\":\"\",\"Alias\":null,\"Content\":");
}

static void end_node(const struct dump_node *d, struct buf *out)
{
    buf_add_cstr(out, ",\"HeadComment\":");
    doc_json_quote(d->head, DOC_JSON_HTML, out);
    buf_add_cstr(out, ",\"LineComment\":");
    doc_json_quote(d->line_comment, DOC_JSON_HTML, out);
    buf_add_cstr(out, ",\"FootComment\":");
    doc_json_quote(d->foot, DOC_JSON_HTML, out);
    buf_addf(out, ",\"Line\":%u,\"Column\":%u}", d->place.line, d->place.column);
}

static str tag_of(const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_NULL:
        return STR("!!null");
    case DOC_BOOL:
        return STR("!!bool");
    case DOC_NUMBER:
        return n->is_int ? STR("!!int") : STR("!!float");
    case DOC_STRING:
        return res_scalar_is_loose(n) ? STR("") : STR("!!str");
    case DOC_ALIAS:
        return STR("!!str");
    case DOC_LIST:
        return STR("!!seq");
    case DOC_MAP:
        return STR("!!map");
    }
    return STR("");
}

struct dumper {
    const struct doc_set *set;
    uint32_t lines_before; /* the document: upstream reads each by itself */
    struct buf *out;
};

/* Lines of the source up to the one that ends the document before; a divider at the start ends
 * none. */
static uint32_t lines_before(const struct doc_set *set, const struct doc_node *root)
{
    str text = set->sources[root->source].text, rest, line;
    uint32_t count = 0, before = 0;

    for (rest = str_sub(text, 0, root->begin); str_next_line(&rest, &line);) {
        count++;
        if (count > 1 && str_starts(line, STR("---")))
            before = count;
    }
    return before;
}

static struct doc_place inside(const struct dumper *d, struct doc_place place)
{
    if (place.line > d->lines_before)
        place.line -= d->lines_before;
    return place;
}

/* A null as it was written: "~", "null", or nothing. */
static str text_of(const struct doc_set *set, const struct doc_node *n)
{
    return n->type == DOC_NULL
               ? str_sub(set->sources[n->source].text, n->begin, MAX(n->end, n->begin) - n->begin)
               : doc_text(n, STR_NONE);
}

static void dump_key(const struct dumper *to, const struct doc_node *entry)
{
    struct dump_node d = {.kind = 8,
                          .style = (enum doc_style)entry->key_style,
                          .tag = STR("!!str"),
                          .value = doc_key(entry),
                          .place = inside(to, doc_key_place(to->set, entry))};

    if (entry->extra) {
        d.head = entry->extra->key_head;
        d.line_comment = entry->extra->key_line;
        d.foot = entry->extra->key_foot;
    }
    begin_node(&d, to->out);
    buf_add_cstr(to->out, "null");
    end_node(&d, to->out);
}

static void dump(const struct dumper *to, const struct doc_node *n, int depth)
{
    struct doc_iter it = doc_children(n);
    struct dump_node d = {.kind = doc_is_map(n)    ? 4
                                  : doc_is_list(n) ? 2
                                                   : 8,
                          .style = (enum doc_style)n->style,
                          .tag = tag_of(n),
                          .value = text_of(to->set, n),
                          .place = inside(to, doc_place(to->set, n))};

    if (n->extra) {
        d.head = n->extra->head;
        d.line_comment = n->extra->line;
        d.foot = n->extra->foot;
    }
    begin_node(&d, to->out);
    buf_add_cstr(to->out, doc_len(n) && depth < DUMP_DEPTH ? "[" : "null");
    for (bool is_first = true; depth < DUMP_DEPTH && doc_next(&it); is_first = false) {
        if (!is_first)
            buf_add_char(to->out, ',');
        if (doc_is_map(n)) {
            dump_key(to, it.value);
            buf_add_char(to->out, ',');
        }
        dump(to, it.value, depth + 1);
    }
    if (doc_len(n) && depth < DUMP_DEPTH)
        buf_add_char(to->out, ']');
    end_node(&d, to->out);
}

bool kustomize_hash_is_of_data(const struct doc_node *object)
{
    str kind = doc_text(doc_get_lit(object, "kind"), STR_NONE);

    return str_eq(kind, STR("ConfigMap")) || str_eq(kind, STR("Secret"));
}

void kustomize_hash_text(const struct doc_set *set, const struct doc_node *object, bool fixed,
                         struct buf *out)
{
    str kind = doc_text(doc_get_lit(object, "kind"), STR_NONE);

    if (str_eq(kind, STR("ConfigMap")))
        config_map_text(object, out);
    else if (str_eq(kind, STR("Secret")))
        secret_text(object, out);
    else if (fixed)
        doc_emit_json(object, DOC_JSON_SORTED | DOC_JSON_HTML, out);
    else
        dump(&(struct dumper){set, lines_before(set, object), out}, object, 0);
}

/* Texts that are others once they have been written; what is no map is taken as it is. */
static bool has_folded(const struct doc_node *n, bool fixed)
{
    return !fixed && doc_is_map(n) && kustomize_has_folded(n);
}

/* What the data means counts: the object itself, or a copy in a set of its own. */
static const struct doc_node *settle_data(const struct doc_node *object, bool fixed,
                                          struct doc_set **own)
{
    static const char maps[][11] = {"data", "stringData"};
    bool is_of_data = kustomize_hash_is_of_data(object);
    struct doc_node *settled = NULL;

    for (size_t i = 0; i < ARRAY_LEN(maps); i++) {
        const struct doc_node *map = doc_get(object, str_of(maps[i]));
        bool is_folded = is_of_data && has_folded(map, fixed);

        if (!is_folded && !res_scalar_has_loose(map))
            continue;
        if (!settled) {
            settled = doc_copy(*own = doc_set_new(), object);
            res_scalar_settle(*own, settled);
        }
        if (is_folded)
            kustomize_refold(*own, doc_get(settled, str_of(maps[i])));
    }
    return settled ? settled : object;
}

void kustomize_hash_of(const struct doc_set *set, const struct doc_node *object, bool fixed,
                       struct buf *out)
{
    AUTO(doc_set_free) struct doc_set *own = NULL;
    AUTO(buf_done) struct buf text = {0};
    AUTO(buf_done) struct buf hex = {0};

    object = settle_data(object, fixed, &own);
    kustomize_hash_text(set, object, fixed, &text);
    sha256_hex(buf_view(&text), &hex);
    for (size_t i = 0; i < KUSTOMIZE_HASH_LEN; i++) {
        static const char from[] = "013ae", to[] = "ghkmt"; /* no digit or vowel that spells */
        const char *at = strchr(from, hex.p[i]);

        buf_add_char(out, at ? to[at - from] : hex.p[i]);
    }
}
