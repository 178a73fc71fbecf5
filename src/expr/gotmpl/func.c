/* Which functions a profile has. */
#include <stdatomic.h>

#include "expr/gotmpl/run_priv.h"
#include "sys/thread.h"

/* Of two functions of one name the first counts: those of charts replace sprig's. */
static const struct func_group *const groups[] = {
    &func_chart,    &func_formats,  &func_durations,    &func_operator_formats,
    &func_strings,  &func_words,    &func_string_lists, &func_math,
    &func_decimals, &func_defaults, &func_encodings,    &func_json,
    &func_dates,    &func_lists,    &func_more_lists,   &func_maps,
    &func_types,    &func_regex,    &func_versions,     &func_paths,
    &func_random,   &func_crypto,   &func_certificates, &func_builtins,
};

/* All rows, and name to row for each profile, made when the first is looked for; they live until
 * the process ends. */
struct func_rows {
    const struct func_group *group; /* whose are being added */
    VEC(struct tmpl_function) all;
};
static struct func_rows rows;
static struct map tables[TMPL_PROFILE_COUNT];
static atomic_bool is_made[TMPL_PROFILE_COUNT]; /* these tables are not changed any more */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

void func_add(struct func_rows *to, const char *name, const char *signature, tmpl_fn *fn,
              unsigned flags, const char *summary, const char *example, const char *result)
{
    vec_push(&to->all, {name, signature, fn, flags, summary, example, result, to->group});
}

static bool has(enum tmpl_profile profile, const struct tmpl_function *f)
{
    static const unsigned lacks[TMPL_PROFILE_COUNT] = {[TMPL_CHART] = FUNC_NO_CHART,
                                                       [TMPL_OPERATOR] = FUNC_NO_OPERATOR,
                                                       [TMPL_PIPELINE] = FUNC_NO_PIPELINE};

    return f->group->profiles & 1u << profile && !(f->flags & lacks[profile]);
}

static void make_rows(void)
{
    for (size_t g = 0; g < ARRAY_LEN(groups); g++) {
        rows.group = groups[g];
        groups[g]->add_rows(&rows);
    }
}

static void make_table(enum tmpl_profile profile)
{
    struct map *table = &tables[profile];

    if (!rows.all.len)
        make_rows();
    for (size_t i = 0; i < rows.all.len; i++) {
        const struct tmpl_function *f = &rows.all.v[i];
        str name = str_of(f->name);

        if (has(profile, f) && !map_has(table, name))
            map_put(table, name, (void *)f);
    }
}

/* Most processes need that of one profile. */
static const struct map *table_of(enum tmpl_profile profile)
{
    if (!atomic_load_explicit(&is_made[profile], memory_order_acquire)) {
        LOCK_SCOPE(&making);
        if (!atomic_load_explicit(&is_made[profile], memory_order_relaxed))
            make_table(profile);
        atomic_store_explicit(&is_made[profile], true, memory_order_release);
    }
    return &tables[profile];
}

const struct tmpl_function *func_find(const struct tmpl_set *set, str name)
{
    return map_get(table_of(set->profile), name);
}

bool tmpl_function_row(enum tmpl_profile profile, size_t at, struct tmpl_doc_row *ret)
{
    const struct map *table = table_of(profile);

    for (size_t i = 0; i < rows.all.len; i++) {
        const struct tmpl_function *f = &rows.all.v[i];

        if (map_get(table, str_of(f->name)) != f || at-- > 0)
            continue;
        *ret = (struct tmpl_doc_row){f->name,    f->group->title, f->summary,
                                     f->example, f->result,       !(f->flags & FUNC_IMPURE)};
        return true;
    }
    return false;
}
