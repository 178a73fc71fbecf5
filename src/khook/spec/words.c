#include "khook/spec/words.h"

#include "base/mem.h"
#include "base/words.h"
#include "khook/spec/fields.h"
#include "khook/spec/values.h"
#include "sys/file.h"

enum { MAX_DEPTH = 100, MAX_BYTES = 16 << 20 };

bool khook_is_yaml_word(const struct doc_node *n)
{
    static const char words[] = "yes no on off y n Yes No On Off Y N YES NO ON OFF";

    return doc_is_string(n) && n->style == DOC_PLAIN &&
           words_have(str_of(words), ' ', doc_text(n, STR_NONE));
}

static void warn_below(const struct doc_set *set, const struct doc_node *n, int depth,
                       struct diag_list *problems)
{
    struct doc_iter it = doc_children(n);

    while (depth < MAX_DEPTH && doc_next(&it)) {
        struct doc_place place = doc_place(set, it.value);
        str word = doc_text(it.value, STR_NONE);

        warn_below(set, it.value, depth + 1, problems);
        if (khook_is_yaml_word(it.value))
            diag_add(problems,
                     &(struct diag){
                         .severity = DIAG_WARNING,
                         .code = STR("yaml.word"),
                         .origin = place.origin,
                         .line = place.line,
                         .column = place.column,
                         .excerpt = place.excerpt,
                         .text = arena_printf(&problems->arena,
                                              "%.*s is the text \"%.*s\", which charts take for "
                                              "true",
                                              STR_ARG(word), STR_ARG(word)),
                         .hint = STR("write true or false, or quote it"),
                     });
    }
}

static void warn_file(str path, str base_dir, struct diag_list *problems)
{
    bool is_relative = base_dir.len && path.p[0] != '/';
    AUTO(mem_free_str)
    char *full = str_printf("%.*s%s%.*s", STR_ARG(is_relative ? base_dir : STR("")),
                            is_relative ? "/" : "", STR_ARG(path));
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0};
    AUTO(err_done) struct err ignored = {0};
    struct doc_node *values;

    if (file_read(full, MAX_BYTES, &text, &ignored) < 0)
        return;
    values = khook_values_parse(set, buf_view(&text), full, &ignored);
    if (values)
        warn_below(set, values, 0, problems);
}

void khook_warn_values_files(const struct khook_spec *spec, str base_dir,
                             struct diag_list *problems)
{
    for (size_t i = 0; i < spec->step_count; i++) {
        const struct khook_helm *helm = spec->steps[i].helm;
        const struct khook_source *sources = helm ? helm->values_from.v : NULL;

        for (size_t j = 0; helm && j < helm->values_from.len; j++)
            if (sources[j].file.len)
                warn_file(sources[j].file, base_dir, problems);
    }
}
