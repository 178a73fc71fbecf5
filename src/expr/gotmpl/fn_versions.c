/* Semantic versions (template spec 14.11). */
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"
#include "expr/semver/semver.h"

struct version_object {
    struct tmpl_object head;
    struct semver v;
};

static const struct version_object *version_of(struct tmpl_value v)
{
    return (const struct version_object *)v.object;
}

static struct tmpl_value object_of_version(struct tmpl_run *r, const struct semver *v)
{
    struct version_object *o = ARENA_NEW(&r->arena, struct version_object);

    o->head.class = &object_version;
    o->v = *v;
    if (!v->original.p) {
        AUTO(buf_done) struct buf text = {0};

        semver_print(v, &text);
        o->v.original = arena_dup(&r->arena, buf_view(&text));
    }
    return tmpl_object(&o->head);
}

static void print_version(const struct tmpl_object *o, struct buf *out)
{
    semver_print(&((const struct version_object *)o)->v, out);
}

static int ret_number(struct tmpl_value *ret, uint64_t u)
{
    *ret = (struct tmpl_value){.type = TMPL_UINT64, .u = u};
    return 0;
}

static int m_major(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_number(ret, version_of(c->self)->v.major);
}

static int m_minor(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_number(ret, version_of(c->self)->v.minor);
}

static int m_patch(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_number(ret, version_of(c->self)->v.patch);
}

static int m_pre(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, version_of(c->self)->v.pre);
}

static int m_build(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, version_of(c->self)->v.meta);
}

static int m_original(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, version_of(c->self)->v.original);
}

static int m_string(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, value_strval(c->run, c->self));
}

static int compare(const struct tmpl_call *c)
{
    int way = semver_compare(&version_of(c->self)->v, &version_of(c->args[0])->v);

    return (way > 0) - (way < 0);
}

static int m_compare(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_int(compare(c));
    return 0;
}

static int m_equal(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, compare(c) == 0);
}

static int m_less(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, compare(c) < 0);
}

static int m_greater(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_bool(ret, compare(c) > 0);
}

static int ret_version(struct tmpl_call *c, struct semver v, struct tmpl_value *ret)
{
    v.pre = v.meta = v.original = STR_NONE;
    *ret = object_of_version(c->run, &v);
    return 0;
}

static int m_inc_major(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_version(c, (struct semver){.major = version_of(c->self)->v.major + 1}, ret);
}

static int m_inc_minor(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct semver v = version_of(c->self)->v;

    v.minor++;
    v.patch = 0;
    return ret_version(c, v, ret);
}

static int m_inc_patch(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct semver v = version_of(c->self)->v;

    v.patch += !v.pre.len; /* of a prerelease it is the release itself */
    return ret_version(c, v, ret);
}

/* The version with another prerelease or build part. */
static int with_suffix(struct tmpl_call *c, bool is_build, struct tmpl_value *ret)
{
    struct semver v = version_of(c->self)->v;
    str text = arg_text(c, 0);

    if (!(is_build ? semver_is_meta(text) : semver_is_pre(text)))
        return call_fail(c, "%s",
                         is_build ? "invalid metadata string" : "invalid prerelease string");
    *(is_build ? &v.meta : &v.pre) = text;
    v.original = STR_NONE;
    *ret = object_of_version(c->run, &v);
    return 0;
}

static int m_set_pre(struct tmpl_call *c, struct tmpl_value *ret)
{
    return with_suffix(c, false, ret);
}

static int m_set_build(struct tmpl_call *c, struct tmpl_value *ret)
{
    return with_suffix(c, true, ret);
}

static const struct tmpl_member version_members[] = {
    {"Major", "", m_major},
    {"Minor", "", m_minor},
    {"Patch", "", m_patch},
    {"Prerelease", "", m_pre},
    {"Metadata", "", m_build},
    {"Original", "", m_original},
    {"String", "", m_string},
    {"Compare", "M", m_compare},
    {"Equal", "M", m_equal},
    {"LessThan", "M", m_less},
    {"GreaterThan", "M", m_greater},
    {"IncMajor", "", m_inc_major},
    {"IncMinor", "", m_inc_minor},
    {"IncPatch", "", m_inc_patch},
    {"SetPrerelease", "S", m_set_pre},
    {"SetMetadata", "S", m_set_build},
    {NULL, NULL, NULL},
};
const struct tmpl_class object_version = {"*semver.Version", "ptr", version_members, print_version,
                                          NULL};

static int f_semver(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct semver v;

    if (semver_parse(arg_text(c, 0), SEMVER_LENIENT, &v, c->run->e) < 0)
        return -1;
    *ret = object_of_version(c->run, &v);
    return 0;
}

static int f_semver_compare(struct tmpl_call *c, struct tmpl_value *ret)
{
    AUTO(semver_constraint_free)
    struct semver_constraint *constraint = semver_constraint_parse(arg_text(c, 0), c->run->e);
    struct semver v;

    if (!constraint || semver_parse(arg_text(c, 1), SEMVER_LENIENT, &v, c->run->e) < 0)
        return -1;
    return ret_bool(ret, semver_matches(constraint, &v, false));
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "semver", "S", f_semver, 0,
             "A version, with the members Major, Minor, Patch, Prerelease, …",
             "{{ (semver \"v1.2.3\").Minor }}", "2");
    func_add(to, "semverCompare", "SS", f_semver_compare, 0,
             "True when a version satisfies a constraint",
             "{{ semverCompare \">=1.2\" \"1.5.0\" }}", "true");
}
FUNC_GROUP(func_versions, "Versions", add_rows, IN_SPRIG);
