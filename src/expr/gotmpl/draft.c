/* Texts that are compiled before it is known what they are called. */
#include "expr/gotmpl/run_priv.h"
#include "expr/gotmpl/tree_priv.h"

struct tmpl_draft {
    struct tmpl_source *source;
    struct tmpl_template **templates; /* in the order of the text, which comes last itself */
    size_t count;
};

struct tmpl_draft *tmpl_draft_new(enum tmpl_profile profile, str text, struct arena *arena)
{
    struct tmpl_set functions = {.profile = profile};
    struct parse_input in = {.functions = &functions,
                             .arena = arena,
                             .text = text,
                             .is_borrowed = true,
                             .is_nameless = true};
    AUTO(err_done) struct err told_later = {0};
    AUTO(tmpl_program_free) struct tmpl_program *program = tmpl_parse(&in, &told_later);
    struct tmpl_draft *draft;
    struct map_iter it = {0};

    if (!program)
        return NULL;
    draft = ARENA_NEW(arena, struct tmpl_draft);
    draft->templates = ARENA_ARRAY(arena, struct tmpl_template *, program->templates.len);
    while (map_next(&program->templates, &it))
        draft->templates[draft->count++] = it.value;
    draft->source = (struct tmpl_source *)draft->templates[draft->count - 1]->source;
    return draft;
}

bool draft_name(struct tmpl_draft *draft, str name)
{
    if (!draft || draft->source->name.len || !name.len)
        return false;
    for (size_t i = 0; i < draft->count; i++)
        if (str_eq(draft->templates[i]->name, name))
            return false;
    draft->source->name = name;
    draft->templates[draft->count - 1]->name = name;
    return true;
}

void draft_join(const struct tmpl_draft *draft, struct tmpl_set *set)
{
    for (size_t i = 0; i < draft->count; i++)
        set_add(set, draft->templates[i]);
}
