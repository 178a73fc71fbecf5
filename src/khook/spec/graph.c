#include "khook/spec/graph.h"

static void add_mermaid(const struct khook_spec *spec, struct buf *out)
{
    bool any_skipped = false;

    buf_add_cstr(out, "flowchart TD\n");
    for (size_t i = 0; i < spec->step_count; i++) {
        const struct khook_step *step = &spec->steps[i];

        any_skipped |= step->is_excluded;
        buf_addf(out, "    n%zu[\"%.*s (%.*s%s)\"]%s\n", i, STR_ARG(step->name),
                 STR_ARG(khook_type_name(step->type)), step->is_excluded ? ", skipped" : "",
                 step->is_excluded ? ":::skipped" : "");
    }
    for (size_t i = 0; i < spec->step_count; i++)
        for (size_t j = 0; j < spec->steps[i].need_count; j++)
            buf_addf(out, "    n%zu --> n%zu\n", spec->steps[i].needs[j], i);
    if (any_skipped)
        buf_add_cstr(out, "    classDef skipped stroke-dasharray:5 5,opacity:0.6\n");
}

static void add_quoted(str text, struct buf *out)
{
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] == '"' || text.p[i] == '\\')
            buf_add_char(out, '\\');
        buf_add_char(out, text.p[i]);
    }
    buf_add_char(out, '"');
}

static void add_dot(const struct khook_spec *spec, struct buf *out)
{
    buf_add_cstr(out, "digraph ");
    add_quoted(spec->name, out);
    buf_add_cstr(out, " {\n    rankdir=TB;\n    node [shape=box];\n");
    for (size_t i = 0; i < spec->step_count; i++) {
        const struct khook_step *step = &spec->steps[i];

        buf_add_cstr(out, "    ");
        add_quoted(step->name, out);
        buf_addf(out, " [label=\"%.*s (%.*s%s)\"%s];\n", STR_ARG(step->name),
                 STR_ARG(khook_type_name(step->type)), step->is_excluded ? ", skipped" : "",
                 step->is_excluded ? ", style=dashed, color=gray" : "");
    }
    for (size_t i = 0; i < spec->step_count; i++)
        for (size_t j = 0; j < spec->steps[i].need_count; j++) {
            buf_add_cstr(out, "    ");
            add_quoted(spec->steps[spec->steps[i].needs[j]].name, out);
            buf_add_cstr(out, " -> ");
            add_quoted(spec->steps[i].name, out);
            buf_add_cstr(out, ";\n");
        }
    buf_add_cstr(out, "}\n");
}

bool khook_graph(const struct khook_spec *spec, str format, struct buf *out)
{
    if (str_eq(format, STR("mermaid")))
        add_mermaid(spec, out);
    else if (str_eq(format, STR("dot")))
        add_dot(spec, out);
    else
        return false;
    return true;
}
