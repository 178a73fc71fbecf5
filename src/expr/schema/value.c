/* The keywords of objects, arrays and scalars. */
#include "base/utf8.h"
#include "doc/emit.h"
#include "expr/schema/schema_priv.h"

static bool refuse_count(struct run *r, const struct trail *trail, const char *keyword, size_t got,
                         int64_t want)
{
    AUTO(buf_done) struct buf text = {0};

    if (!r->problems)
        return false;
    buf_addf(&text, "%s: got ", keyword);
    problem_count(got, &text);
    buf_add_cstr(&text, ", want ");
    problem_count((size_t)want, &text);
    return problem(r, trail, "%s", buf_cstr(&text));
}

static bool within(struct run *r, const struct trail *trail, const char *const keywords[2],
                   size_t got, int64_t least, int64_t most)
{
    bool ok = true;

    if (least >= 0 && got < (uint64_t)least)
        ok = refuse_count(r, trail, keywords[0], got, least);
    if (most >= 0 && got > (uint64_t)most)
        ok = refuse_count(r, trail, keywords[1], got, most);
    return ok;
}

static bool bound(struct run *r, const struct trail *trail, const char *name, bool ok,
                  const struct doc_node *value, const struct doc_node *limit)
{
    AUTO(buf_done) struct buf got = {0}, want = {0};

    if (ok || !r->problems)
        return ok;
    problem_number(value, &got);
    problem_number(limit, &want);
    return problem(r, trail, "%s: got %s, want %s", name, buf_cstr(&got), buf_cstr(&want));
}

static bool run_number(struct run *r, const struct check *c, const struct doc_node *value,
                       const struct trail *trail)
{
    bool ok = true;

    if (c->minimum)
        ok = bound(r, trail, "minimum", schema_number_compare(value, c->minimum) >= 0, value,
                   c->minimum);
    if (c->maximum)
        ok = bound(r, trail, "maximum", schema_number_compare(value, c->maximum) <= 0, value,
                   c->maximum) &&
             ok;
    if (c->above)
        ok = bound(r, trail, "exclusiveMinimum", schema_number_compare(value, c->above) > 0, value,
                   c->above) &&
             ok;
    if (c->below)
        ok = bound(r, trail, "exclusiveMaximum", schema_number_compare(value, c->below) < 0, value,
                   c->below) &&
             ok;
    if (c->multiple_of)
        ok = bound(r, trail, "multipleOf", schema_is_multiple(value, c->multiple_of), value,
                   c->multiple_of) &&
             ok;
    return ok;
}

static bool run_string(struct run *r, const struct check *c, str text, const struct trail *trail)
{
    bool ok = true;

    if (c->min_length >= 0 || c->max_length >= 0)
        ok = within(r, trail, (const char *[]){"minLength", "maxLength"}, utf8_count(text),
                    c->min_length, c->max_length);
    if (c->pattern && !re_match(c->pattern, text)) {
        AUTO(buf_done) struct buf got = {0}, want = {0};

        if (r->problems) {
            problem_quoted(text, &got);
            problem_quoted(re_pattern(c->pattern), &want);
        }
        ok = problem(r, trail, "%s does not match pattern %s", buf_cstr(&got), buf_cstr(&want));
    }
    return ok;
}

bool run_scalar(struct run *r, const struct check *c, const struct doc_node *value,
                const struct trail *trail)
{
    if (doc_is_string(value))
        return run_string(r, c, doc_string(value, STR_NONE), trail);
    return doc_type(value) != DOC_NUMBER || run_number(r, c, value, trail);
}

static bool name_missing(struct run *r, const struct trail *trail, const struct str_vec *missing)
{
    AUTO(buf_done) struct buf names = {0};

    if (!missing->len)
        return true;
    if (r->problems)
        problem_names(missing, &names);
    return problem(r, trail, "missing %s %s", missing->len == 1 ? "property" : "properties",
                   buf_cstr(&names));
}

static bool run_required(struct run *r, const struct check *c, const struct doc_node *value,
                         const struct trail *trail)
{
    AUTO(str_vec_done) struct str_vec missing = {0};
    struct doc_iter it = doc_children(c->required);

    while (doc_next(&it)) {
        str name = doc_string(it.value, STR_NONE);

        if (!doc_get(value, name))
            vec_push(&missing, name);
    }
    return name_missing(r, trail, &missing);
}

static bool run_dependency(struct run *r, const struct dependency *d, const struct doc_node *value,
                           const struct scope *scope, const struct trail *trail,
                           struct marks *marks)
{
    AUTO(str_vec_done) struct str_vec missing = {0};
    AUTO(buf_done) struct buf names = {0}, name = {0};
    struct doc_iter it = doc_children(d->required);

    if (d->check)
        return run_branch(r, d->check, value, scope, trail, marks);
    while (doc_next(&it))
        if (!doc_get(value, doc_string(it.value, STR_NONE)))
            vec_push(&missing, doc_string(it.value, STR_NONE));
    if (!missing.len)
        return true;
    problem_names(&missing, &names);
    problem_quoted(d->name, &name);
    return problem(r, trail, "properties %s required, if %s exists", buf_cstr(&names),
                   buf_cstr(&name));
}

static bool run_dependencies(struct run *r, const struct check *c, const struct doc_node *value,
                             bool is_late, const struct scope *scope, const struct trail *trail,
                             struct marks *marks)
{
    bool ok = true;

    for (size_t i = 0; i < c->dependency_count && (ok || r->problems); i++) {
        const struct dependency *d = &c->dependencies[i];

        if (d->is_late == is_late && doc_get(value, d->name))
            ok = run_dependency(r, d, value, scope, trail, marks) && ok;
    }
    return ok;
}

static const struct check *property_of(const struct check *c, const struct doc_node *entry)
{
    uint32_t at = entry->key_hash & (c->property_slots - 1);

    for (; c->property_slots && c->properties[at].check; at = (at + 1) & (c->property_slots - 1))
        if (c->properties[at].hash == entry->key_hash &&
            str_eq(c->properties[at].name, doc_key(entry)))
            return c->properties[at].check;
    return NULL;
}

/* Judges one entry; *ret_known when properties or patternProperties speak of it. */
static bool run_entry(struct run *r, const struct check *c, const struct doc_node *entry,
                      const struct scope *scope, const struct trail *at, bool *ret_known)
{
    const struct check *own = property_of(c, entry);
    bool ok = !own || run_check(r, own, entry, scope, at, NULL);

    *ret_known = own != NULL;
    for (size_t i = 0; i < c->pattern_count && (ok || r->problems); i++)
        if (re_match(c->patterns[i].re, doc_key(entry))) {
            *ret_known = true;
            ok = run_check(r, c->patterns[i].check, entry, scope, at, NULL) && ok;
        }
    return ok;
}

/* What is wrong with a name is told as of a document of its own. */
static bool run_name(struct run *r, const struct check *c, str name, const struct scope *scope,
                     const struct trail *trail)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_node value = {.type = DOC_STRING, .text = name.p, .len = (uint32_t)name.len};
    struct trail start = {0};
    size_t from = problem_mark(r);

    if (run_check(r, c->property_names, &value, scope, &start, NULL))
        return true;
    problem_ungroup(r, from);
    buf_add_cstr(&text, "invalid propertyName ");
    problem_quoted(name, &text);
    return problem_heading(r, from, trail, buf_view(&text));
}

static bool run_names(struct run *r, const struct check *c, const struct doc_node *value,
                      const struct scope *scope, const struct trail *trail)
{
    struct doc_iter it = doc_children(value);
    bool ok = true;

    while (doc_next(&it) && (ok || r->problems))
        ok = run_name(r, c, it.key, scope, trail) && ok;
    return ok;
}

static bool refuse_extra(struct run *r, const struct str_vec *extra, const struct trail *trail)
{
    AUTO(buf_done) struct buf names = {0};

    if (!extra->len)
        return true;
    problem_names(extra, &names);
    return problem(r, trail, "additional properties %s not allowed", buf_cstr(&names));
}

static bool run_entries(struct run *r, const struct check *c, const struct doc_node *value,
                        const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    AUTO(str_vec_done) struct str_vec extra = {0};
    struct doc_iter it = doc_children(value);
    const struct check *rest = c->additional_properties;
    bool ok = true;

    for (size_t i = 0; doc_next(&it) && (ok || r->problems); i++) {
        struct trail at = {trail, it.key, i, true};
        bool is_known;

        ok = run_entry(r, c, it.value, scope, &at, &is_known) && ok;
        if (is_known || rest)
            marks_set(marks, i);
        if (is_known || !rest)
            continue;
        if (rest->is_false)
            vec_push(&extra, it.key);
        else
            ok = run_check(r, rest, it.value, scope, &at, NULL) && ok;
    }
    return refuse_extra(r, &extra, trail) && ok;
}

bool run_object(struct run *r, const struct check *c, const struct doc_node *value,
                const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    bool ok = within(r, trail, (const char *[]){"minProperties", "maxProperties"}, doc_len(value),
                     c->min_properties, c->max_properties);

    if (c->required && (ok || r->problems))
        ok = run_required(r, c, value, trail) && ok;
    if (c->dependency_count && (ok || r->problems))
        ok = run_dependencies(r, c, value, false, scope, trail, marks) && ok;
    if ((c->properties || c->pattern_count || c->additional_properties) && (ok || r->problems))
        ok = run_entries(r, c, value, scope, trail, marks) && ok;
    if (c->property_names && (ok || r->problems))
        ok = run_names(r, c, value, scope, trail) && ok;
    if (c->dependency_count && (ok || r->problems))
        ok = run_dependencies(r, c, value, true, scope, trail, marks) && ok;
    return ok;
}

static size_t index_of(const struct doc_node *list, const struct doc_node *item)
{
    struct doc_iter it = doc_children(list);
    size_t i = 0;

    while (doc_next(&it) && it.value != item)
        i++;
    return i;
}

/* Equal values have one canonical text. */
static bool run_unique(struct run *r, const struct doc_node *value, const struct trail *trail)
{
    AUTO(map_done) struct map seen = {0};
    struct doc_iter it = doc_children(value);

    while (doc_next(&it)) {
        AUTO(buf_done) struct buf text = {0};
        const struct doc_node *before;

        doc_emit_json(it.value, DOC_JSON_CANON, &text);
        before = map_get(&seen, buf_view(&text));
        if (before)
            return problem(r, trail, "items at %zu and %zu are equal", index_of(value, before),
                           index_of(value, it.value));
        map_put(&seen, arena_dup(&r->scratch, buf_view(&text)), it.value);
    }
    return true;
}

/* "min 2 items required to match contains schema, but matched 1 items at 0" */
static void add_found(const char *which, int64_t want, const struct buf *places, size_t found,
                      struct buf *out)
{
    buf_addf(out, "%s ", which);
    problem_count((size_t)want, out);
    buf_add_cstr(out, " items required to match contains schema, but ");
    if (!found) {
        buf_add_cstr(out, "none matched");
        return;
    }
    buf_add_cstr(out, "matched ");
    problem_count(found, out);
    buf_addf(out, " items at %s", buf_cstr(places));
}

/* Why the items that do not match do not is told below. */
static bool refuse_contains(struct run *r, const struct check *c, const struct doc_node *value,
                            const struct scope *scope, const struct trail *trail, size_t found,
                            const struct buf *places)
{
    AUTO(buf_done) struct buf text = {0};
    struct doc_iter it = doc_children(value);
    size_t from = problem_mark(r);

    if (!r->problems)
        return false;
    for (size_t i = 0; doc_next(&it); i++) {
        struct trail at = {trail, STR_NONE, i, false};

        run_check(r, c->contains, it.value, scope, &at, NULL);
    }
    if (c->min_contains < 0)
        buf_add_cstr(&text, "no items match contains schema");
    else
        add_found("min", c->min_contains, places, found, &text);
    return problem_heading(r, from, trail, buf_view(&text));
}

static bool run_contains(struct run *r, const struct check *c, const struct doc_node *value,
                         const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    AUTO(buf_done) struct buf text = {0}, places = {0};
    struct schema_problems *problems = r->problems;
    struct doc_iter it = doc_children(value);
    size_t least = c->min_contains >= 0 ? (size_t)c->min_contains : 1, found = 0;
    bool is_2020 = c->resource->draft >= SCHEMA_DRAFT_2020, ok = true;

    r->problems = NULL;
    for (size_t i = 0; doc_next(&it); i++)
        if (run_check(r, c->contains, it.value, scope, NULL, NULL)) {
            if (problems)
                buf_addf(&places, "%s%zu", found ? " " : "", i);
            found++;
            if (is_2020)
                marks_set(marks, i);
        }
    r->problems = problems;
    if (found < least)
        ok = refuse_contains(r, c, value, scope, trail, found, &places);
    if (c->max_contains < 0 || found <= (size_t)c->max_contains)
        return ok;
    add_found("max", c->max_contains, &places, found, &text);
    return problem(r, trail, "%s", buf_cstr(&text));
}

static bool run_items(struct run *r, const struct check *c, const struct doc_node *value,
                      const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    struct doc_iter it = doc_children(value);
    bool is_closed = c->items && c->items->is_false && c->is_additional_items, ok = true;

    for (size_t i = 0; doc_next(&it) && (ok || r->problems); i++) {
        const struct check *rule = i < c->prefix.len ? c->prefix.v[i] : c->items;
        struct trail at = {trail, STR_NONE, i, false};

        if (!rule)
            continue;
        marks_set(marks, i);
        if (is_closed && i >= c->prefix.len)
            return problem(r, trail, "last %zu additionalItem(s) not allowed",
                           doc_len(value) - c->prefix.len);
        ok = run_check(r, rule, it.value, scope, &at, NULL) && ok;
    }
    return ok;
}

bool run_array(struct run *r, const struct check *c, const struct doc_node *value,
               const struct scope *scope, const struct trail *trail, struct marks *marks)
{
    bool ok = within(r, trail, (const char *[]){"minItems", "maxItems"}, doc_len(value),
                     c->min_items, c->max_items);

    if (c->is_unique && (ok || r->problems))
        ok = run_unique(r, value, trail) && ok;
    if ((c->items || c->prefix.len) && (ok || r->problems))
        ok = run_items(r, c, value, scope, trail, marks) && ok;
    if (c->contains && (ok || r->problems))
        ok = run_contains(r, c, value, scope, trail, marks) && ok;
    return ok;
}
