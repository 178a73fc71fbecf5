#include "fn/tag.h"

#include "expr/semver/semver.h"
#include "fetch/registry.h"
#include "fn/container.h"
#include "sys/proc.h"

enum { LIST_LIMIT = 1 << 20, MOST_NAMED = 5 };

enum fn_tag fn_tag_kind(str tag)
{
    AUTO(err_done) struct err not_version = {0}, not_range = {0};
    struct semver version;

    if (registry_is_tag(tag) && semver_parse(tag, SEMVER_LENIENT, &version, &not_version) == 0)
        return FN_TAG_PLAIN;
    AUTO(semver_constraint_free)
    struct semver_constraint *range = semver_constraint_parse(tag, &not_range);
    if (range)
        return FN_TAG_RANGE;
    return registry_is_tag(tag) ? FN_TAG_PLAIN : FN_TAG_WRONG;
}

static bool is_better(str tag, const struct semver *v, str best, const struct semver *best_v)
{
    int order = best.len ? semver_compare(v, best_v) : 1;

    if (order == 0)
        order = tag.len != best.len ? (tag.len > best.len ? 1 : -1) : str_cmp(tag, best);
    return order > 0;
}

str fn_choose_tag(const struct str_vec *tags, str range)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(semver_constraint_free)
    struct semver_constraint *c = semver_constraint_parse(range, &ignored);
    struct semver best_version = {0};
    str best = STR_NONE;

    for (size_t i = 0; c && i < tags->len; i++) {
        AUTO(err_done) struct err no_version = {0};
        struct semver v;

        if (semver_parse(tags->v[i], SEMVER_LENIENT, &v, &no_version) < 0 ||
            !semver_matches(c, &v, false) || !is_better(tags->v[i], &v, best, &best_version))
            continue;
        best = tags->v[i];
        best_version = v;
    }
    return best;
}

str fn_without_tag(str image)
{
    ssize_t slash = str_rfind_char(image, '/'), colon;

    image = str_cut(image, '@', NULL);
    colon = str_rfind_char(image, ':');
    return colon > slash ? str_sub(image, 0, (size_t)colon) : image;
}

int fn_use_tag(struct arena *a, struct fn_spec *spec, str tag, struct err *e)
{
    str image = fn_without_tag(spec->image);

    switch (fn_tag_kind(tag)) {
    case FN_TAG_PLAIN:
        spec->image = arena_printf(a, "%.*s:%.*s", STR_ARG(image), STR_ARG(tag));
        return 0;
    case FN_TAG_RANGE:
        spec->image = image;
        spec->range = tag;
        return 0;
    case FN_TAG_WRONG:
        break;
    }
    return err_set(e, ERR_INVALID, "must be a tag, or a range of versions such as \">=1.2.0 <2\"");
}

/* ---- where tags come from */

/* A name without a host is one of Docker Hub's. */
static str with_host(struct arena *a, str image)
{
    str first = str_cut(image, '/', NULL);

    if (str_find_char(first, '.') >= 0 || str_find_char(first, ':') >= 0 ||
        str_eq(first, STR("localhost")))
        return image;
    return arena_printf(a, "docker.io/%.*s", STR_ARG(image));
}

static int remote_tags(struct arena *a, str image, struct cancel *cancel, struct str_vec *ret,
                       struct err *e)
{
    const struct registry_options options = {.cancel = cancel};
    AUTO(registry_free) struct registry *registry = registry_new(&options, e);
    struct registry_name name;

    if (!registry || registry_name_parse(with_host(a, image), &name, e) < 0)
        return -1;
    return registry_get_tags(registry, &name, a, ret, e);
}

static int local_tags(struct arena *a, str image, struct cancel *cancel, struct str_vec *ret,
                      struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf why = {0};
    str program, rest, line;
    const char *argv[] = {NULL, "images", "--format", "{{.Tag}}", arena_cstr(a, image), NULL};

    if (fn_container_program(a, &program, e) < 0)
        return -1;
    argv[0] = arena_cstr(a, program);
    if (proc_run(&(struct proc_spec){.argv = argv, .output_limit = LIST_LIMIT, .cancel = cancel},
                 &result, e) < 0)
        return -1;
    if (result.exit_code) {
        proc_describe(&result, &why);
        return err_set(e, ERR_IO, "%s images: %s: %.*s", argv[0], buf_cstr(&why),
                       STR_ARG(str_trim(buf_view(&result.err))));
    }
    for (rest = arena_dup(a, buf_view(&result.out)); str_next_line(&rest, &line);)
        if (registry_is_tag(str_trim(line))) /* "<none>" */
            vec_push(ret, str_trim(line));
    return 0;
}

/* ---- */

static int refuse(str image, str range, const struct str_vec *tags, bool is_local, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    size_t shown = MIN(tags->len, (size_t)MOST_NAMED);

    for (size_t i = tags->len - shown; i < tags->len; i++)
        buf_addf(&text, "%s%.*s", text.len ? ", " : "", STR_ARG(tags->v[i]));
    if (tags->len > shown)
        buf_addf(&text, " and %zu more", tags->len - shown);
    return err_set(e, ERR_NOT_FOUND, "no tag of %.*s fits \"%.*s\": %s %s%s", STR_ARG(image),
                   STR_ARG(range), is_local ? "this machine has" : "there are",
                   text.len ? buf_cstr(&text) : "none", is_local ? " (images are not pulled)" : "");
}

int fn_resolve_range(struct arena *a, const struct fn_runner *r, const struct fn_spec *spec,
                     struct cancel *cancel, str *ret, struct err *e)
{
    str image = fn_without_tag(fn_image_name(a, spec->image)), tag;
    bool is_local = r->is_offline || r->pull == FN_PULL_NEVER;
    AUTO(str_vec_done) struct str_vec tags = {0};

    if (!fn_is_image(image))
        return err_set(e, ERR_INVALID, "function name \"%.*s\" is invalid", STR_ARG(spec->image));
    if ((is_local ? local_tags : remote_tags)(a, image, cancel, &tags, e) < 0)
        return err_wrap(e, "which tag of %.*s fits \"%.*s\"", STR_ARG(image), STR_ARG(spec->range));
    tag = fn_choose_tag(&tags, spec->range);
    if (!tag.len)
        return refuse(image, spec->range, &tags, is_local, e);
    *ret = arena_printf(a, "%.*s:%.*s", STR_ARG(image), STR_ARG(tag));
    return 0;
}
