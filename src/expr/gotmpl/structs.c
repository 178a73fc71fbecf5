/* What charts see of a cluster and of the program: structs of named fields, with an order of their
 * own wherever they are printed (template spec 15.5). */
#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"

const struct tmpl_value *struct_values(struct tmpl_value v)
{
    return ((const struct struct_object *)v.object)->values;
}

bool struct_field(struct tmpl_value v, str name, struct tmpl_value *ret)
{
    if (!value_is_struct(v))
        return false;
    for (const struct tmpl_field *f = v.object->class->fields; f->name; f++)
        if (!f->is_hidden && str_eq(name, str_of(f->name))) {
            *ret = struct_values(v)[f - v.object->class->fields];
            return true;
        }
    return false;
}

void struct_print(struct tmpl_run *r, struct tmpl_value v, struct buf *out)
{
    const struct tmpl_field *fields = v.object->class->fields;

    buf_add_char(out, '{');
    for (const struct tmpl_field *f = fields; f->name; f++) {
        if (f != fields)
            buf_add_char(out, ' ');
        value_print(r, struct_values(v)[f - fields], out);
    }
    buf_add_char(out, '}');
}

bool struct_print_self(struct tmpl_run *r, struct tmpl_value v, struct buf *out)
{
    const struct struct_object *o = (const struct struct_object *)v.object;

    if (!value_is_struct(v))
        return false;
    if (o->text.len && !(v.flags & TMPL_IS_COPY))
        buf_add_str(out, o->text);
    else
        struct_print(r, v, out);
    return true;
}

const struct tmpl_entry *struct_entries(struct tmpl_run *r, struct tmpl_value v, size_t *ret_count)
{
    const struct tmpl_field *fields = v.object->class->fields;
    struct tmpl_entry *entries;
    size_t count = 0, len = 0;

    while (fields[count].name)
        count++;
    entries = arena_alloc(&r->arena, count * sizeof(struct tmpl_entry));
    for (size_t i = 0; i < count; i++)
        if (!fields[i].is_hidden)
            entries[len++] = (struct tmpl_entry){str_of(fields[i].name), struct_values(v)[i]};
    *ret_count = len;
    return entries;
}

bool struct_equal(struct tmpl_run *r, struct tmpl_value a, struct tmpl_value b)
{
    const struct tmpl_field *fields = a.object->class->fields;

    for (const struct tmpl_field *f = fields; f->name; f++)
        if (!value_equal(r, struct_values(a)[f - fields], struct_values(b)[f - fields]))
            return false;
    return true;
}

/* ---- the structs */

static struct tmpl_value struct_new(struct tmpl_run *run, const struct tmpl_class *class,
                                    const struct tmpl_value *values, size_t count, str text)
{
    struct struct_object *o = ARENA_NEW(&run->arena, struct struct_object);
    struct tmpl_value *copy = trun_array(run, count);

    memcpy(copy, values, count * sizeof *copy);
    *o = (struct struct_object){{class}, copy, text};
    return tmpl_object(&o->head);
}

static str field_text(const struct tmpl_call *c, size_t at)
{
    return tmpl_text(struct_values(c->self)[at]);
}

enum { KUBE_FULL, KUBE_SHOWN, KUBE_MAJOR, KUBE_MINOR };
static int m_kube_full(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, field_text(c, KUBE_FULL));
}

static int m_kube_shown(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_view(ret, field_text(c, KUBE_SHOWN));
}

static const struct tmpl_member kube_members[] = {
    {"GitVersion", "", m_kube_full}, {"String", "", m_kube_shown}, {NULL, NULL, NULL}};
static const struct tmpl_member no_members[] = {{NULL, NULL, NULL}};

static const struct tmpl_field kube_fields[] = {
    {"Version", "Version", false, false}, {"normalizedVersion", "", true, false},
    {"Major", "Major", false, false},     {"Minor", "Minor", false, false},
    {NULL, NULL, false, false},
};
static const struct tmpl_class kube_class = {"common.KubeVersion", "struct", kube_members, NULL,
                                             kube_fields};

static const struct tmpl_field build_fields[] = {
    {"Version", "version", false, true},
    {"GitCommit", "git_commit", false, true},
    {"GitTreeState", "git_tree_state", false, true},
    {"GoVersion", "go_version", false, true},
    {"KubeClientVersion", "kube_client_version", false, true},
    {NULL, NULL, false, false},
};
static const struct tmpl_class build_class = {"version.BuildInfo", "struct", no_members, NULL,
                                              build_fields};

static const struct tmpl_field capabilities_fields[] = {
    {"KubeVersion", "KubeVersion", false, false},
    {"APIVersions", "APIVersions", false, false},
    {"HelmVersion", "HelmVersion", false, false},
    {NULL, NULL, false, false},
};
static const struct tmpl_class capabilities_class = {"*common.Capabilities", "ptr", no_members,
                                                     NULL, capabilities_fields};

struct tmpl_value tmpl_kube_version(struct tmpl_run *run, str version, str shown, str major,
                                    str minor)
{
    struct tmpl_value values[] = {
        [KUBE_FULL] = tmpl_string(arena_dup(&run->arena, version)),
        [KUBE_SHOWN] = tmpl_string(arena_dup(&run->arena, shown)),
        [KUBE_MAJOR] = tmpl_string(arena_dup(&run->arena, major)),
        [KUBE_MINOR] = tmpl_string(arena_dup(&run->arena, minor)),
    };

    return struct_new(run, &kube_class, values, ARRAY_LEN(values), tmpl_text(values[KUBE_SHOWN]));
}

struct tmpl_value tmpl_build_info(struct tmpl_run *run, const struct tmpl_build *build)
{
    const struct tmpl_value values[] = {
        tmpl_string(build->version),    tmpl_string(build->commit), tmpl_string(build->tree_state),
        tmpl_string(build->go_version), tmpl_string(build->client),
    };

    return struct_new(run, &build_class, values, ARRAY_LEN(values), STR_NONE);
}

struct tmpl_value tmpl_capabilities(struct tmpl_run *run, struct tmpl_value kube_version,
                                    struct tmpl_value api_versions, struct tmpl_value build_info)
{
    const struct tmpl_value values[] = {kube_version, api_versions, build_info};

    return struct_new(run, &capabilities_class, values, ARRAY_LEN(values), STR_NONE);
}

/* ---- API versions */

struct tmpl_value tmpl_api_versions(struct tmpl_run *run, const str *versions, size_t count)
{
    struct tmpl_value *items = trun_array(run, count);

    for (size_t i = 0; i < count; i++)
        items[i] = tmpl_string(arena_dup(&run->arena, versions[i]));
    return tmpl_list(TMPL_VERSIONS, items, count);
}

static int m_has(struct tmpl_call *c, struct tmpl_value *ret)
{
    for (size_t i = 0; i < c->self.len; i++)
        if (str_eq(tmpl_text(c->self.items[i]), arg_text(c, 0)))
            return ret_bool(ret, true);
    return ret_bool(ret, false);
}

const struct tmpl_member versions_members[] = {{"Has", "S", m_has}, {NULL, NULL, NULL}};
