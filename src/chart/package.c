#include "chart/package.h"

#include "codec/gzip.h"
#include "codec/tar.h"
#include "doc/emit.h"
#include "expr/semver/semver.h"
#include "sys/env.h"

enum { LEVEL = 9 };

struct packer {
    struct doc_set *set;
    struct buf tar;
    int64_t epoch_s;
};
static void packer_done(struct packer *p) { buf_done(&p->tar); }
AUTO_VALUE(struct packer, packer_done)

static void add(struct packer *p, str base, str name, str text, int64_t modified_us)
{
    AUTO(buf_done) struct buf path = {0};

    buf_addf(&path, "%.*s/%.*s", STR_ARG(base), STR_ARG(name));
    tar_add_file(&p->tar, buf_view(&path), text,
                 p->epoch_s == CHART_FILE_TIMES ? modified_us / 1000000 : p->epoch_s);
}

static void add_files(struct packer *p, str base, const struct chart_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add(p, base, files[i].name, files[i].text, files[i].modified_us);
}

/* The depth of subcharts is bounded where they are loaded. */
static void add_chart(struct packer *p, const struct chart *c, str base)
{
    struct doc_node *metadata = chart_metadata_json(p->set, c);
    bool is_v1 = str_eq(c->api_version, STR("v1"));
    AUTO(buf_done) struct buf yaml = {0};

    if (is_v1) /* they are in requirements.yaml, which is one of the files */
        doc_remove(metadata, STR("dependencies"));
    doc_emit(metadata, DOC_EMIT_SORTED, &yaml);
    add(p, base, STR("Chart.yaml"), buf_view(&yaml), c->modified_us);
    if (!is_v1 && c->lock_text.p)
        add(p, base, STR("Chart.lock"), c->lock_text, c->modified_us);
    if (c->values_text.p)
        add(p, base, STR("values.yaml"), c->values_text, c->modified_us);
    if (c->schema.p)
        add(p, base, STR("values.schema.json"), c->schema, c->schema_modified_us);
    add_files(p, base, c->templates, c->template_count);
    add_files(p, base, c->files, c->file_count);
    for (size_t i = 0; i < c->child_count; i++)
        add_chart(p, c->children[i],
                  arena_printf(&p->set->arena, "%.*s/charts/%.*s", STR_ARG(base),
                               STR_ARG(c->children[i]->name)));
}

int chart_package(struct doc_set *set, const struct chart *c, int64_t epoch_s, struct buf *out,
                  struct err *e)
{
    AUTO(packer_done) struct packer p = {.set = set, .epoch_s = epoch_s};

    add_chart(&p, c, c->name);
    tar_end(&p.tar);
    return gzip_pack(buf_view(&p.tar), LEVEL, out, e);
}

void chart_package_name(const struct chart *c, struct buf *out)
{
    buf_addf(out, "%.*s-%.*s.tgz", STR_ARG(c->name), STR_ARG(c->version));
}

int chart_package_epoch(int64_t *ret, struct err *e)
{
    const char *text = env_get("SOURCE_DATE_EPOCH");

    *ret = CHART_FILE_TIMES;
    if (!text || !text[0])
        return 0;
    if (!str_to_int64(str_of(text), ret) || *ret < 0)
        return err_set(e, ERR_INVALID, "SOURCE_DATE_EPOCH is no number of seconds: \"%s\"", text);
    return 0;
}

int chart_set_versions(struct doc_set *set, struct chart *c, str version, str app_version,
                       struct err *e)
{
    struct doc_node *metadata = doc_copy(set, c->metadata);
    struct semver parsed;

    if (version.len) {
        if (semver_parse(version, SEMVER_LENIENT, &parsed, e) < 0)
            return -1;
        doc_set_string(set, metadata, STR("Version"), version);
        c->version = arena_dup(&set->arena, version);
    }
    if (app_version.len)
        doc_set_string(set, metadata, STR("AppVersion"), app_version);
    c->metadata = metadata;
    return 0;
}
