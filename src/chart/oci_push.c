/* Charts on their way into a registry (helm spec 15). */
#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/oci_priv.h"
#include "doc/emit.h"
#include "sys/clock.h"

#define TITLE STR("org.opencontainers.image.title")
#define VERSION STR("org.opencontainers.image.version")

/* ---- annotations */

static void annotate(struct doc_set *set, struct doc_node *map, str key, str text)
{
    if (str_trim(text).len)
        doc_set_string(set, map, key, text);
}

/* "Ann (ann@example.org), Bob" */
static void add_authors(const struct doc_node *maintainers, struct buf *out)
{
    struct doc_iter it = doc_children(maintainers);

    while (doc_next(&it)) {
        str email = doc_string(doc_get_lit(it.value, "email"), STR_NONE);

        if (out->len)
            buf_add_cstr(out, ", ");
        buf_add_str(out, doc_string(doc_get_lit(it.value, "name"), STR_NONE));
        if (email.len)
            buf_addf(out, " (%.*s)", STR_ARG(email));
    }
}

static struct doc_node *annotations_of(struct doc_set *set, const struct chart *c,
                                       const struct doc_node *metadata, str created)
{
    AUTO(buf_done) struct buf authors = {0}, now = {0};
    struct doc_node *map = doc_new_map(set);
    struct doc_iter own = doc_children(doc_get_lit(metadata, "annotations"));

    clock_rfc3339(clock_wall_ms(), 0, &now);
    add_authors(doc_get_lit(metadata, "maintainers"), &authors);
    annotate(set, map, STR("org.opencontainers.image.description"),
             doc_string(doc_get_lit(metadata, "description"), STR_NONE));
    annotate(set, map, TITLE, c->name);
    annotate(set, map, VERSION, c->version);
    annotate(set, map, STR("org.opencontainers.image.url"),
             doc_string(doc_get_lit(metadata, "home"), STR_NONE));
    annotate(set, map, STR("org.opencontainers.image.created"),
             created.len ? created : buf_view(&now));
    annotate(set, map, STR("org.opencontainers.image.source"),
             doc_string(doc_item(doc_get_lit(metadata, "sources"), 0), STR_NONE));
    annotate(set, map, STR("org.opencontainers.image.authors"), buf_view(&authors));
    while (doc_next(&own)) /* the chart's own win, but not over what it is called */
        if (!str_eq(own.key, TITLE) && !str_eq(own.key, VERSION))
            doc_set_string(set, map, own.key, doc_text(own.value, STR_NONE));
    doc_sort_keys(map);
    return map;
}

/* ---- the manifest */

struct blob {
    str media_type, bytes;
    struct buf digest;
};

static struct doc_node *descriptor(struct doc_set *set, const struct blob *blob)
{
    struct doc_node *map = doc_new_map(set);

    doc_set_string(set, map, STR("mediaType"), blob->media_type);
    doc_set_string(set, map, STR("digest"), buf_view(&blob->digest));
    doc_set_int(set, map, STR("size"), (int64_t)blob->bytes.len);
    return map;
}

enum { CONFIG, CONTENT, PROV, BLOBS };

static void emit_manifest(struct doc_set *set, const struct blob *blobs,
                          struct doc_node *annotations, struct buf *out)
{
    struct doc_node *root = doc_new_map(set), *layers = doc_new_list(set);

    doc_set_int(set, root, STR("schemaVersion"), 2);
    doc_set_field(set, root, STR("config"), descriptor(set, &blobs[CONFIG]));
    for (size_t i = CONTENT; i < BLOBS; i++)
        if (blobs[i].bytes.len)
            doc_append(layers, descriptor(set, &blobs[i]));
    doc_set_field(set, root, STR("layers"), layers);
    doc_set_field(set, root, STR("annotations"), annotations);
    doc_emit_json(root, DOC_JSON_HTML, out);
}

static int put_blobs(struct chart_oci *oci, const struct registry_name *name, struct blob *blobs,
                     struct err *e)
{
    for (size_t i = 0; i < BLOBS; i++) {
        if (!blobs[i].bytes.len)
            continue;
        if (registry_put_blob(oci->registry, name, buf_view(&blobs[i].digest), blobs[i].bytes, e) <
            0)
            return -1;
    }
    return 0;
}

/* "oci://HOST/PATH" and the chart's name and version. */
static int name_of(const struct chart *c, str reference, struct buf *text,
                   struct registry_name *ret, struct err *e)
{
    AUTO(buf_done) struct buf whole = {0};

    buf_addf(&whole, "%.*s/%.*s:", STR_ARG(str_trim_right(reference, "/")), STR_ARG(c->name));
    chart_oci_tag_of(c->version, &whole);
    return chart_oci_name_parse(buf_view(&whole), text, ret, e);
}

int chart_oci_push(struct chart_oci *oci, const struct chart_oci_push *push,
                   struct chart_oci_pulled *ret, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0}, config = {0}, manifest = {0};
    struct blob blobs[BLOBS] = {{CHART_OCI_CONFIG, STR_NONE, {0}},
                                {CHART_OCI_CONTENT, push->archive, {0}},
                                {CHART_OCI_PROV, push->prov, {0}}};
    struct chart *c = chart_load_bytes(set, push->archive, e);
    struct registry_name name = {0};
    struct doc_node *metadata;
    int rc;

    if (!c || name_of(c, push->reference, &text, &name, e) < 0)
        return -1;
    metadata = chart_metadata_json(set, c);
    doc_emit_json(metadata, DOC_JSON_HTML, &config);
    blobs[CONFIG].bytes = buf_view(&config);
    for (size_t i = 0; i < BLOBS; i++) {
        sha256_digest(blobs[i].bytes, &blobs[i].digest);
    }
    emit_manifest(set, blobs, annotations_of(set, c, metadata, push->created), &manifest);
    rc = put_blobs(oci, &name, blobs, e);
    if (rc == 0)
        rc = registry_put_manifest(oci->registry, &name, name.tag,
                                   STR("application/vnd.oci.image.manifest.v1+json"),
                                   buf_view(&manifest), e);
    buf_addf(&ret->reference, "%s", buf_cstr(&text));
    sha256_digest(buf_view(&manifest), &ret->digest);
    buf_add_str(&ret->name, c->name);
    buf_add_str(&ret->version, c->version);
    buf_add_str(&ret->archive_digest, buf_view(&blobs[CONTENT].digest));
    for (size_t i = 0; i < BLOBS; i++)
        buf_done(&blobs[i].digest);
    return rc;
}
