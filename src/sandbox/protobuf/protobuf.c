#include "sandbox/protobuf/protobuf.h"

#include "base/escape.h"
#include "doc/parse.h"
#include "res/id.h"
#include "sandbox/protobuf/protobuf_priv.h"
#include "sys/clock.h"

enum { MAX_DEPTH = 64 };

bool sb_is_protobuf(str content_type)
{
    return str_starts(content_type, STR("application/vnd.kubernetes.protobuf"));
}

/* ---- the wire */

struct wire { /* one field of a message */
    str rest;
    uint32_t number;
    unsigned type;  /* 0: varint, 2: bytes; others are skipped */
    uint64_t value; /* of a varint */
    str bytes;
};

static bool read_varint(str *s, uint64_t *ret)
{
    *ret = 0;
    for (unsigned shift = 0; shift < 64 && s->len; shift += 7) {
        unsigned char c = (unsigned char)s->p[0];

        *s = str_from(*s, 1);
        *ret |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return true;
    }
    return false;
}

/* 1: a field was read, 0: the end, -1: this is no message. */
static int wire_next(struct wire *w)
{
    static const size_t widths[] = {[1] = 8, [5] = 4};
    uint64_t tag, len;

    if (w->rest.len == 0)
        return 0;
    if (!read_varint(&w->rest, &tag) || tag >> 3 > UINT16_MAX)
        return -1;
    w->number = (uint32_t)(tag >> 3);
    w->type = tag & 7;
    w->bytes = STR_NONE;
    if (w->type == 0)
        return read_varint(&w->rest, &w->value) ? 1 : -1;
    if (w->type == 2) {
        if (!read_varint(&w->rest, &len) || len > w->rest.len)
            return -1;
        w->bytes = str_sub(w->rest, 0, (size_t)len);
        w->rest = str_from(w->rest, (size_t)len);
        return 1;
    }
    if ((w->type != 1 && w->type != 5) || widths[w->type] > w->rest.len)
        return -1;
    w->rest = str_from(w->rest, widths[w->type]);
    return 1;
}

/* A field of a small message: its bytes or number; zero when absent. */
static struct wire find(str message, uint32_t number)
{
    struct wire w = {.rest = message};

    while (wire_next(&w) > 0)
        if (w.number == number)
            return w;
    return (struct wire){0};
}

/* ---- values */

struct decode {
    struct doc_set *set;
    bool is_bad;
};

static struct doc_node *message(struct decode *d, unsigned index, str bytes, int depth);

/* The zero time is null, as in JSON. */
static struct doc_node *time_value(struct decode *d, str bytes)
{
    AUTO(buf_done) struct buf text = {0};
    struct wire s = find(bytes, 1);

    if (s.number == 0)
        return NULL;
    clock_rfc3339((int64_t)s.value * 1000, 0, &text);
    return doc_new_string(d->set, buf_view(&text));
}

static struct doc_node *raw_value(struct decode *d, str bytes)
{
    AUTO(err_done) struct err e = {0};
    struct wire raw = find(bytes, 1);

    return raw.bytes.len ? doc_parse_json(d->set, raw.bytes, "raw", &e) : NULL;
}

static struct doc_node *scalar(struct decode *d, const struct sb_pb_field *f, const struct wire *w)
{
    AUTO(buf_done) struct buf text = {0};

    switch ((enum sb_pb_type)f->type) {
    case SB_PB_BOOL:
        return doc_new_bool(d->set, w->value != 0);
    case SB_PB_INT:
        return doc_new_int(d->set, (int64_t)w->value);
    case SB_PB_STRING:
        return doc_new_string(d->set, w->bytes);
    case SB_PB_BYTES:
        escape_base64(w->bytes, true, &text);
        return doc_new_string(d->set, buf_view(&text));
    case SB_PB_QUANTITY:
        return doc_new_string(d->set, find(w->bytes, 1).bytes);
    case SB_PB_INT_OR_STRING:
        return find(w->bytes, 1).value ? doc_new_string(d->set, find(w->bytes, 3).bytes)
                                       : doc_new_int(d->set, (int64_t)find(w->bytes, 2).value);
    case SB_PB_TIME:
        return time_value(d, w->bytes);
    case SB_PB_DURATION:
        buf_addf(&text, "%llds", (long long)find(w->bytes, 1).value / 1000000000);
        return doc_new_string(d->set, buf_view(&text));
    case SB_PB_RAW:
        return raw_value(d, w->bytes);
    case SB_PB_MESSAGE:
        break;
    }
    return NULL;
}

static struct doc_node *value(struct decode *d, const struct sb_pb_field *f, const struct wire *w,
                              int depth)
{
    return f->type == SB_PB_MESSAGE ? message(d, f->message, w->bytes, depth + 1) : scalar(d, f, w);
}

/* What JSON leaves out where the field is no pointer. */
static bool is_zero(const struct doc_node *n)
{
    str text = doc_text(n, STR_NONE);

    if (doc_is_null(n))
        return true;
    if (doc_is_map(n) || doc_is_list(n))
        return doc_len(n) == 0;
    return text.len == 0 ||
           (!doc_is_string(n) && (str_eq(text, STR("0")) || str_eq(text, STR("false"))));
}

static void add_entry(struct decode *d, const struct sb_pb_field *f, struct doc_node *map,
                      str entry, int depth)
{
    struct wire v = find(entry, 2);
    struct doc_node *n;

    if (v.number == 0)
        v.type = 2; /* an empty value is not written */
    n = value(d, f, &v, depth);
    if (n)
        doc_set_field(d->set, map, find(entry, 1).bytes, n);
}

static void add_field(struct decode *d, const struct sb_pb_field *f, struct doc_node *to,
                      const struct wire *w, int depth)
{
    str name = str_of(sb_pb_words + f->name);
    struct doc_node *n;

    if (f->how == SB_PB_MAP) {
        add_entry(d, f, doc_ensure_map(d->set, to, name), w->bytes, depth);
        return;
    }
    n = value(d, f, w, depth);
    if (!n)
        return;
    if (f->how == SB_PB_REPEATED) {
        doc_append(doc_ensure_list(d->set, to, name), n);
    } else if (f->how == SB_PB_INLINE) {
        struct doc_iter it = doc_children(n);

        while (doc_next(&it))
            doc_set_field(d->set, to, it.key, doc_copy(d->set, it.value));
    } else if (f->how == SB_PB_POINTER || !is_zero(n)) {
        doc_set_field(d->set, to, name, n);
    }
}

/* Numbers stand alone, everything else has a length; repeated numbers may do either. */
static bool is_fit(const struct sb_pb_field *f, unsigned wire_type)
{
    unsigned wanted = f->type <= SB_PB_INT && f->how < SB_PB_REPEATED ? 0 : 2;

    return wire_type == wanted || (f->how == SB_PB_REPEATED && wire_type == 0);
}

static struct doc_node *message(struct decode *d, unsigned index, str bytes, int depth)
{
    const struct sb_pb_message *m = &sb_pb_messages[index];
    struct doc_node *out = doc_new_map(d->set);
    struct wire w = {.rest = bytes};
    int rc;

    if (depth > MAX_DEPTH)
        d->is_bad = true;
    while (!d->is_bad && (rc = wire_next(&w)) != 0) {
        const struct sb_pb_field *f = &sb_pb_fields[m->first], *end = f + m->count;

        if (rc < 0) {
            d->is_bad = true;
            break;
        }
        while (f < end && f->number != w.number)
            f++;
        if (f < end && is_fit(f, w.type))
            add_field(d, f, out, &w, depth);
    }
    return out;
}

const struct sb_pb_root *sb_pb_root_of(str group, str version, str kind)
{
    for (size_t i = 0; i < sb_pb_root_count; i++) {
        const struct sb_pb_root *r = &sb_pb_roots[i];

        if (str_eq(kind, str_of(sb_pb_words + r->kind)) &&
            (str_eq(kind, STR("DeleteOptions")) ||
             (str_eq(group, str_of(sb_pb_words + r->group)) &&
              str_eq(version, str_of(sb_pb_words + r->version)))))
            return r;
    }
    return NULL;
}

const struct sb_pb_field *sb_pb_field_of(unsigned message, str name)
{
    const struct sb_pb_message *m = &sb_pb_messages[message];

    for (size_t i = 0; i < m->count; i++) {
        const struct sb_pb_field *f = &sb_pb_fields[m->first + i];

        if (f->how == SB_PB_INLINE && f->type == SB_PB_MESSAGE) {
            f = sb_pb_field_of(f->message, name);
            if (f)
                return f;
        } else if (str_eq(name, str_of(sb_pb_words + f->name))) {
            return f;
        }
    }
    return NULL;
}

struct doc_node *sb_protobuf_decode(struct doc_set *set, str body, struct err *e)
{
    static const char magic[] = {'k', '8', 's', 0};
    struct decode d = {.set = set};
    const struct sb_pb_root *root;
    struct doc_node *n;
    str type, api, kind, group, version;

    if (!str_drop_prefix(&body, (str){magic, sizeof(magic)})) {
        err_set(e, ERR_INVALID, "the body is no protobuf object of the API");
        return NULL;
    }
    type = find(body, 1).bytes;
    api = find(type, 1).bytes;
    kind = find(type, 2).bytes;
    res_split_api_version(api, &group, &version);
    root = sb_pb_root_of(group, version, kind);
    if (!root) {
        err_set(e, ERR_UNSUPPORTED, "no protobuf form is known for %.*s %.*s", STR_ARG(api),
                STR_ARG(kind));
        return NULL;
    }
    n = message(&d, root->message, find(body, 2).bytes, 0);
    if (d.is_bad) {
        err_set(e, ERR_INVALID, "the body is no %.*s", STR_ARG(kind));
        return NULL;
    }
    doc_set_string(set, n, STR("apiVersion"), api);
    doc_set_string(set, n, STR("kind"), kind);
    return n;
}
