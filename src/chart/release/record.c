#include "chart/release/record.h"

#include "base/escape.h"
#include "base/time.h"
#include "codec/gzip.h"
#include "doc/emit.h"
#include "doc/parse.h"

static const char statuses[][17] = {
#define X(name, text) text,
    CHART_STATUSES(X)
#undef X
};

str chart_status_name(enum chart_status status) { return str_of(statuses[status]); }

/* CHART_UNKNOWN for other words */
static enum chart_status chart_status_of(str name)
{
    for (int i = 0; i < CHART_STATUS_COUNT; i++)
        if (str_eq(name, str_of(statuses[i])))
            return (enum chart_status)i;
    return CHART_UNKNOWN;
}

void chart_record_done(struct chart_record *r)
{
    doc_set_free(r->set);
    *r = (struct chart_record){0};
}

/* ---- text */

int chart_record_parse(str json, struct chart_record *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *root = doc_parse_json_flags(set, json, DOC_LAST_WINS, "release record", e);

    if (!root)
        return -1;
    if (!doc_is_map(root) || !doc_string(doc_get_lit(root, "name"), STR_NONE).len)
        return err_set(e, ERR_INVALID, "release record: it has no name");
    *ret = (struct chart_record){
        .root = root,
        .name = doc_string(doc_get_lit(root, "name"), STR_NONE),
        .ns = doc_string(doc_get_lit(root, "namespace"), STR("")),
        .revision = doc_int(doc_get_lit(root, "version"), 0),
        .status = chart_status_of(doc_string(doc_at(root, "info/status"), STR_NONE)),
    };
    ret->set = TAKE(set);
    return 0;
}

int chart_record_decode(str text, struct chart_record *ret, struct err *e)
{
    AUTO(buf_done) struct buf bytes = {0}, json = {0};

    if (!unescape_base64(text, &bytes))
        return err_set(e, ERR_INVALID, "release record: it is no base64");
    if (!gzip_is(buf_view(&bytes)))
        return chart_record_parse(buf_view(&bytes), ret, e);
    if (gzip_unpack(buf_view(&bytes), CHART_RECORD_MAX_JSON, &json, e) < 0)
        return err_wrap(e, "release record");
    return chart_record_parse(buf_view(&json), ret, e);
}

int chart_record_encode(const struct chart_record *r, struct buf *ret, struct err *e)
{
    enum { QUICK = 6, SMALL = 9 };
    AUTO(buf_done) struct buf json = {0}, packed = {0};
    size_t before = ret->len;

    doc_emit_json(r->root, 0, &json);
    for (int level = QUICK; level <= SMALL; level += SMALL - QUICK) {
        buf_clear(&packed);
        buf_trunc(ret, before);
        if (gzip_pack(buf_view(&json), level, &packed, e) < 0)
            return -1;
        escape_base64(buf_view(&packed), true, ret);
        if (ret->len - before <= CHART_RECORD_MAX_TEXT)
            return 0;
    }
    return err_set(e, ERR_LIMIT,
                   "the record of release %.*s has %zu bytes, %zu fit into one object; take large "
                   "files out of the chart's folder with .helmignore, or split the chart",
                   STR_ARG(r->name), ret->len - before, CHART_RECORD_MAX_TEXT);
}

/* ---- info */

static struct doc_node *info(const struct chart_record *r) { return doc_get_lit(r->root, "info"); }

static struct doc_node *info_to_change(struct chart_record *r)
{
    struct doc_node *map = doc_ensure_map(r->set, r->root, STR("info"));

    return map ? map : doc_set_field(r->set, r->root, STR("info"), doc_new_map(r->set));
}

/* Go leaves empty members out. */
static void set_text(struct chart_record *r, struct doc_node *map, const char *member, str text)
{
    if (text.len)
        doc_set_string(r->set, map, str_of(member), text);
    else
        doc_remove(map, str_of(member));
}

void chart_time_emit(int64_t us, struct buf *out)
{
    AUTO(buf_done) struct buf text = {0};
    str digits;

    time_rfc3339_us(us, 6, &text);
    digits = str_trim_right(str_sub(buf_view(&text), 0, text.len - 1), "0");
    buf_add_str(out, str_trim_right(digits, "."));
    buf_add_char(out, 'Z');
}

static void set_time(struct chart_record *r, struct doc_node *map, const char *member, int64_t us)
{
    AUTO(buf_done) struct buf text = {0};

    if (us)
        chart_time_emit(us, &text);
    set_text(r, map, member, buf_view(&text));
}

static int64_t time_of(const struct doc_node *map, const char *member)
{
    int64_t us;

    return time_parse_rfc3339_us(doc_string(doc_get(map, str_of(member)), STR_NONE), &us) &&
                   us > -62135596800000000 /* Go's zero time, year 1 */
               ? us
               : 0;
}

void chart_record_set_status(struct chart_record *r, enum chart_status status, str description)
{
    struct doc_node *map = info_to_change(r);

    r->status = status;
    set_text(r, map, "status", chart_status_name(status));
    set_text(r, map, "description", description);
}

static str info_text(const struct chart_record *r, const char *member)
{
    return doc_string(doc_get(info(r), str_of(member)), STR(""));
}

str chart_record_description(const struct chart_record *r) { return info_text(r, "description"); }
str chart_record_notes(const struct chart_record *r) { return info_text(r, "notes"); }

void chart_record_set_notes(struct chart_record *r, str notes)
{
    set_text(r, info_to_change(r), "notes", notes);
}

str chart_record_time_text(const struct chart_record *r, const char *member)
{
    return time_of(info(r), member) ? info_text(r, member) : STR("");
}

int64_t chart_record_first_deployed(const struct chart_record *r)
{
    return time_of(info(r), "first_deployed");
}
int64_t chart_record_last_deployed(const struct chart_record *r)
{
    return time_of(info(r), "last_deployed");
}

void chart_record_set_deleted(struct chart_record *r, int64_t us)
{
    set_time(r, info_to_change(r), "deleted", us);
}

void chart_record_set_rollback(struct chart_record *r, int64_t revision)
{
    struct doc_node *map = info_to_change(r);

    if (revision)
        doc_set_int(r->set, map, STR("rollback_revision"), revision);
    else
        doc_remove(map, STR("rollback_revision"));
}

/* ---- what was installed */

str chart_record_apply_method(const struct chart_record *r)
{
    return doc_string(doc_get_lit(r->root, "apply_method"), STR(""));
}

void chart_record_set_apply_method(struct chart_record *r, bool is_client_side)
{
    set_text(r, r->root, "apply_method", is_client_side ? STR("csa") : STR("ssa"));
}

str chart_record_manifest(const struct chart_record *r)
{
    return doc_string(doc_get_lit(r->root, "manifest"), STR(""));
}

void chart_record_set_manifest(struct chart_record *r, str manifest)
{
    set_text(r, r->root, "manifest", manifest);
}

struct doc_node *chart_record_config(const struct chart_record *r)
{
    struct doc_node *config = doc_get_lit(r->root, "config");

    return doc_is_map(config) ? config : NULL;
}

struct doc_node *chart_record_metadata(const struct chart_record *r)
{
    struct doc_node *metadata = doc_at(r->root, "chart/metadata");

    return doc_is_map(metadata) ? metadata : NULL;
}

static str metadata_text(const struct chart_record *r, const char *member)
{
    return doc_string(doc_get(chart_record_metadata(r), str_of(member)), STR(""));
}

str chart_record_chart_name(const struct chart_record *r) { return metadata_text(r, "name"); }
str chart_record_chart_version(const struct chart_record *r) { return metadata_text(r, "version"); }
str chart_record_app_version(const struct chart_record *r)
{
    return metadata_text(r, "appVersion");
}
