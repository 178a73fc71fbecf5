#include "khook/spec/read_priv.h"

#include "base/duration.h"
#include "base/utf8.h"
#include "base/words.h"

/* ---- problems */

/* The path inside the step; outside of one the path in the document. */
static void add_path(const struct khook_reader *r, const struct khook_at *at, struct buf *out)
{
    if (!at || !at->up || at == r->step)
        return;
    add_path(r, at->up, out);
    if (at->name)
        buf_addf(out, "%s%s", out->len ? "." : "", at->name);
    else
        buf_addf(out, "[%zu]", at->index);
}

/* NULL: there are too many. */
PRINTF(5, 0)
static struct diag *add(struct khook_reader *r, const struct khook_at *at,
                        enum diag_severity severity, const char *code, const char *fmt,
                        va_list args)
{
    AUTO(buf_done) struct buf text = {0}, field = {0}, subject = {0};
    struct khook_place place =
        khook_text_place(&r->spec->text, doc_offset(r->spec->set, at->node, at->is_key));
    struct diag d = {.severity = severity,
                     .code = str_of(code),
                     .origin = str_of(r->spec->text.origin),
                     .line = place.line,
                     .column = place.column};

    if (r->found++ >= KHOOK_MAX_PROBLEMS)
        return NULL;
    if (r->step && !r->step_name.len)
        buf_addf(&subject, "steps[%zu]", r->step_index);
    add_path(r, at, &field);
    if (r->step_name.len)
        buf_addf(&text, "step \"%.*s\": ", STR_ARG(r->step_name));
    else if (subject.len)
        buf_addf(&text, "%s: ", buf_cstr(&subject));
    if (field.len)
        buf_addf(&text, "%s: ", buf_cstr(&field));
    buf_addv(&text, fmt, args);
    d.text = buf_view(&text);
    d.field = buf_view(&field);
    d.subject = r->step_name.len ? r->step_name : buf_view(&subject);
    d.excerpt = place.excerpt;
    return diag_add(r->problems, &d);
}

struct diag *khook_problem(struct khook_reader *r, const struct khook_at *at, const char *code,
                           const char *fmt, ...)
{
    struct diag *d;
    va_list args;

    va_start(args, fmt);
    d = add(r, at, DIAG_ERROR, code, fmt, args);
    va_end(args);
    return d;
}

struct diag *khook_warning(struct khook_reader *r, const struct khook_at *at, const char *code,
                           const char *fmt, ...)
{
    struct diag *d;
    va_list args;

    va_start(args, fmt);
    d = add(r, at, DIAG_WARNING, code, fmt, args);
    va_end(args);
    return d;
}

void khook_hint(struct khook_reader *r, struct diag *d, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    if (d)
        d->hint = arena_vprintf(&r->problems->arena, fmt, args);
    va_end(args);
}

struct khook_at khook_at_field(const struct khook_at *up, const char *name)
{
    const struct doc_node *node = doc_get(up->node, str_of(name));

    if (node)
        return (struct khook_at){.up = up, .name = name, .node = node};
    return (struct khook_at){.up = up, .name = name, .node = up->node, .is_key = up->is_key};
}

/* Cut at 80 bytes, control characters as escapes. */
static const char *printable(struct khook_reader *r, str text, const char *quote)
{
    AUTO(buf_done) struct buf out = {0};
    size_t len = utf8_start(text, 80).len;

    buf_add_cstr(&out, quote);
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text.p[i];

        if (c == '\n')
            buf_add_cstr(&out, "\\n");
        else if (c < 0x20 || c == 0x7f)
            buf_addf(&out, "\\x%02x", c);
        else
            buf_add_char(&out, (char)c);
    }
    buf_addf(&out, "%s%s", len < text.len ? "…" : "", quote);
    return arena_cstr(r->arena, buf_view(&out));
}

const char *khook_shown(struct khook_reader *r, str text) { return printable(r, text, "\""); }

const char *khook_type_word(const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_NULL:
        return "null";
    case DOC_BOOL:
        return "a boolean";
    case DOC_NUMBER:
        return "a number";
    case DOC_STRING:
        return "text";
    case DOC_LIST:
        return "a list";
    case DOC_MAP:
        return "a map";
    case DOC_ALIAS:
        return "an alias";
    }
    return "nothing";
}

static bool has_bit(uint32_t bits, const struct khook_table *table, const char *field)
{
    int i = khook_field_index(table, str_of(field));

    return i >= 0 && bits >> i & 1;
}

bool khook_is_given(const struct khook_head *head, const struct khook_table *table,
                    const char *field)
{
    return has_bit(head->given, table, field);
}

bool khook_is_bad(const struct khook_head *head, const struct khook_table *table, const char *field)
{
    return has_bit(head->bad, table, field);
}

/* ---- unknown keys */

/* What to write instead of key, from "old=new;…"; empty when the table does not know. */
static str hint_for(const struct khook_table *table, str key)
{
    str rest = str_of(table->hints);

    while (rest.len) {
        str entry = str_cut(rest, ';', &rest), text;

        if (str_eq(str_cut(entry, '=', &text), key))
            return text;
    }
    return STR_NONE;
}

static void report_unknown(struct khook_reader *r, const struct khook_at *at,
                           const struct khook_table *table, const struct doc_iter *it)
{
    struct khook_at key = {.up = at, .node = it->value, .is_key = true};
    str names[32], hint = hint_for(table, it->key), nearest;
    size_t count = 0;
    struct diag *d;

    if (r->found >= KHOOK_MAX_PROBLEMS)
        return;
    key.name = printable(r, it->key, "");
    for (; *table->fields[count].name; count++)
        names[count] = str_of(table->fields[count].name);
    d = khook_problem(r, &key, "field.unknown", "unknown key %s in %s", khook_shown(r, it->key),
                      table->name);
    nearest = diag_nearest(str_sub(it->key, 0, 64), names, count);
    if (hint.len)
        khook_hint(r, d, "write %.*s", STR_ARG(hint));
    else if (nearest.len)
        khook_hint(r, d, "did you mean \"%.*s\"?", STR_ARG(nearest));
}

/* ---- values by kind */

static void *member(void *block, const struct khook_field *field)
{
    return (char *)block + field->offset;
}

static bool wrong_type(struct khook_reader *r, const struct khook_at *at, const char *want)
{
    struct diag *d =
        khook_problem(r, at, "field.type", "must be %s, not %s", want, khook_type_word(at->node));

    if (doc_is_scalar(at->node) && doc_type(at->node) != DOC_STRING && strstr(want, "text"))
        khook_hint(r, d, "quote it: %s", khook_shown(r, doc_text(at->node, STR_NONE)));
    if (doc_is_string(at->node) && (strstr(want, "true") || strstr(want, "integer")))
        khook_hint(r, d, "write it without quotes");
    return false;
}

static bool read_text(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_field *field, str *ret)
{
    if (!doc_is_string(at->node))
        return wrong_type(r, at, "text");
    *ret = doc_text(at->node, STR_NONE);
    if (!ret->len) {
        if (field->flags & KHOOK_REQUIRED)
            khook_problem(r, at, "field.required", "must not be empty");
        return true;
    }
    if (field->kind == KHOOK_WORD && !words_have(str_of(field->words), ' ', *ret)) {
        AUTO(buf_done) struct buf words = {0};
        str rest = str_of(field->words);

        while (rest.len) {
            str word = str_cut(rest, ' ', &rest);

            buf_addf(&words, "%s\"%.*s\"", words.len ? rest.len ? ", " : " or " : "",
                     STR_ARG(word));
        }
        khook_problem(r, at, "value.enum", "must be %s, not %s", buf_cstr(&words),
                      khook_shown(r, *ret));
        *ret = STR_NONE;
        return false;
    }
    khook_check_text(r, at, field, *ret);
    return true;
}

static bool read_number(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field, int64_t *ret)
{
    if (field->kind == KHOOK_INT) {
        if (doc_type(at->node) != DOC_NUMBER)
            return wrong_type(r, at, "an integer");
        if (!doc_to_int64(at->node, ret)) {
            khook_problem(r, at, "field.type", "must be an integer, not %.*s",
                          STR_ARG(str_sub(doc_text(at->node, STR_NONE), 0, 40)));
            return false;
        }
    } else {
        if (!doc_is_string(at->node))
            return wrong_type(r, at, "a duration such as \"30s\" or \"5m\"");
        if (!duration_parse_ms(doc_text(at->node, STR_NONE), ret)) {
            khook_problem(r, at, "value.format",
                          "%s is no duration; write one as \"30s\", \"5m\" or \"1h30m\"",
                          khook_shown(r, doc_text(at->node, STR_NONE)));
            return false;
        }
    }
    khook_check_number(r, at, field, *ret);
    return true;
}

static bool read_texts(struct khook_reader *r, const struct khook_at *at, struct khook_texts *ret)
{
    struct doc_iter it = doc_children(at->node);
    bool is_good = true;
    str *v;

    if (!doc_is_list(at->node))
        return wrong_type(r, at, "a list of texts");
    v = ARENA_ARRAY(r->arena, str, doc_len(at->node) + 1);
    for (size_t i = 0; doc_next(&it); i++) {
        struct khook_at entry = {.up = at, .index = i, .node = it.value};

        v[i] = doc_string(it.value, STR_NONE);
        if (!doc_is_string(it.value))
            is_good = wrong_type(r, &entry, "text");
    }
    if (is_good)
        *ret = (struct khook_texts){v, doc_len(at->node)};
    return is_good;
}

static bool read_text_map(struct khook_reader *r, const struct khook_at *at,
                          const struct doc_node **ret)
{
    struct doc_iter it = doc_children(at->node);
    bool is_good = true;

    if (!doc_is_map(at->node))
        return wrong_type(r, at, "a map of texts");
    while (doc_next(&it)) {
        struct khook_at entry = {.up = at, .node = it.value, .is_key = false};

        if (doc_is_string(it.value))
            continue;
        entry.name = printable(r, it.key, "");
        if (doc_is_scalar(it.value) && !doc_is_null(it.value))
            khook_hint(r,
                       khook_problem(r, &entry, "field.type", "must be text, not %s",
                                     khook_type_word(it.value)),
                       "quote it: %s: \"%.*s\"", entry.name,
                       STR_ARG(str_sub(doc_text(it.value, STR_NONE), 0, 80)));
        else
            wrong_type(r, &entry, "text");
        is_good = false;
    }
    *ret = is_good ? at->node : NULL;
    return is_good;
}

static bool read_inner(struct khook_reader *r, const struct khook_at *at,
                       const struct khook_field *field, void **ret)
{
    if (!doc_is_map(at->node))
        return wrong_type(r, at, "a map");
    *ret = arena_zalloc(r->arena, khook_field_table(field)->size);
    khook_read_block(r, at, khook_field_table(field), *ret);
    return true;
}

static bool read_inners(struct khook_reader *r, const struct khook_at *at,
                        const struct khook_field *field, struct khook_blocks *ret)
{
    const struct khook_table *table = khook_field_table(field);
    struct doc_iter it = doc_children(at->node);
    char *v;

    if (!doc_is_list(at->node))
        return wrong_type(r, at, "a list of maps");
    if (field->table == KHOOK_BLOCK_STEP && doc_len(at->node) > KHOOK_MAX_STEPS) {
        khook_problem(r, at, "value.range", "has %zu entries; at most %d are allowed",
                      doc_len(at->node), KHOOK_MAX_STEPS);
        return false;
    }
    v = arena_zalloc(r->arena, table->size * (doc_len(at->node) + 1));
    *ret = (struct khook_blocks){v, doc_len(at->node)};
    for (size_t i = 0; doc_next(&it); i++, v += table->size) {
        struct khook_at entry = {.up = at, .index = i, .node = it.value};

        if (field->table == KHOOK_BLOCK_STEP)
            khook_enter_step(r, &entry);
        if (!doc_is_map(it.value))
            wrong_type(r, &entry, "a map");
        else
            khook_read_block(r, &entry, table, v);
        if (field->table == KHOOK_BLOCK_STEP)
            khook_leave_step(r);
    }
    return true;
}

/* True when the value has the field's type and the member is set. */
static bool read_value(struct khook_reader *r, const struct khook_at *at,
                       const struct khook_field *field, void *block)
{
    void *to = member(block, field);

    switch (field->kind) {
    case KHOOK_TEXT:
    case KHOOK_WORD:
        return read_text(r, at, field, to);
    case KHOOK_BOOL:
        if (doc_type(at->node) != DOC_BOOL)
            return wrong_type(r, at, "true or false");
        *(bool *)to = doc_bool(at->node, false);
        return true;
    case KHOOK_INT:
    case KHOOK_TIME:
        return read_number(r, at, field, to);
    case KHOOK_TEXTS:
        return read_texts(r, at, to);
    case KHOOK_TEXT_MAP:
        return read_text_map(r, at, to);
    case KHOOK_ANY_MAP:
        if (!doc_is_map(at->node))
            return wrong_type(r, at, "a map");
        *(const struct doc_node **)to = at->node;
        return true;
    case KHOOK_ANY:
        if (!doc_is_map(at->node) && !doc_is_list(at->node))
            return wrong_type(r, at, "a map or a list");
        *(const struct doc_node **)to = at->node;
        return true;
    case KHOOK_BLOCK:
        return read_inner(r, at, field, to);
    case KHOOK_BLOCKS:
        return read_inners(r, at, field, to);
    }
    return false;
}

static void set_fallback(const struct khook_field *field, void *block)
{
    void *to = member(block, field);
    str text = str_of(field->fallback);

    if (!text.len || field->flags & KHOOK_DERIVED)
        return;
    if (field->kind == KHOOK_BOOL)
        *(bool *)to = str_eq(text, STR("true"));
    else if (field->kind == KHOOK_INT)
        str_to_int64(text, to);
    else if (field->kind == KHOOK_TIME)
        duration_parse_ms(text, to);
    else
        *(str *)to = text;
}

/* ---- blocks */

static bool is_empty_value(const struct doc_node *n)
{
    return (doc_is_string(n) && !doc_text(n, STR_NONE).len) || (doc_is_list(n) && !doc_len(n));
}

static void read_field(struct khook_reader *r, const struct khook_at *at,
                       const struct khook_table *table, int index, void *block)
{
    const struct khook_field *field = &table->fields[index];
    struct khook_at value = khook_at_field(at, field->name);
    bool is_there = !doc_is_null(doc_get(at->node, str_of(field->name)));
    struct khook_head *head = block;

    if (!is_there) {
        if (field->flags & KHOOK_REQUIRED)
            khook_problem(r, &value, "field.required", "is required");
    } else {
        if (!is_empty_value(value.node))
            head->given |= 1u << index;
        else if (field->flags & KHOOK_NOT_EMPTY && doc_is_list(value.node))
            khook_problem(r, &value, "value.range", "must have one entry at least");
        if (!read_value(r, &value, field, block))
            head->bad |= 1u << index;
    }
    if (!(head->given >> index & 1))
        set_fallback(field, block);
}

/* Appends those of the words whose bit is set. */
static void add_choices(const struct khook_table *table, uint32_t wanted, const char *last,
                        struct buf *out)
{
    str rest = str_of(table->one_of);
    size_t count = 0;

    while (rest.len) {
        str name = str_cut(rest, ' ', &rest);

        if (wanted >> khook_field_index(table, name) & 1)
            buf_addf(out, "%s%.*s", !count++ ? "" : rest.len ? ", " : last, STR_ARG(name));
    }
}

static void check_one_of(struct khook_reader *r, const struct khook_at *at,
                         const struct khook_table *table, const struct khook_head *head)
{
    AUTO(buf_done) struct buf found = {0}, all = {0};
    str rest = str_of(table->one_of);
    size_t count = 0;

    while (rest.len)
        count += head->given >> khook_field_index(table, str_cut(rest, ' ', &rest)) & 1;
    if (count == 1)
        return;
    add_choices(table, UINT32_MAX, " or ", &all);
    add_choices(table, head->given, ", ", &found);
    if (count == 0)
        khook_problem(r, at, table->none_code ? table->none_code : table->code,
                      "exactly one of %s is needed, none is given", buf_cstr(&all));
    else
        khook_problem(r, at, table->code, "exactly one of %s is allowed, found %zu: %s",
                      buf_cstr(&all), count, buf_cstr(&found));
}

void khook_read_block(struct khook_reader *r, const struct khook_at *at,
                      const struct khook_table *table, void *block)
{
    struct doc_iter it = doc_children(at->node);
    struct khook_head *head = block;

    head->node = at->node;
    while (doc_next(&it))
        if (khook_field_index(table, it.key) < 0)
            report_unknown(r, at, table, &it);
    for (int i = 0; *table->fields[i].name; i++)
        read_field(r, at, table, i, block);
    if (table->one_of)
        check_one_of(r, at, table, head);
    if (table->check)
        table->check(r, at, block);
}
