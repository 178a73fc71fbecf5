/* The events of the YAML scanner as text, for comparing: a line for each, in the notation of the
 * YAML test suite, with the span in characters behind it when asked. A refusal is a line "error:
 * ..." with libyaml's problem, context and marks, and then counts alone: what came before depends
 * on how far a reader looks ahead. */
#pragma once
#include "base/buf.h"
#include "doc/yaml/scan.h"

static inline void yaml_print_value(struct buf *out, str value)
{
    static const char from[] = "\\\n\t\r\b", to[] = "\\ntrb";

    for (size_t i = 0; i < value.len; i++) {
        const char *special = value.p[i] ? strchr(from, value.p[i]) : NULL;

        if (special)
            buf_addf(out, "\\%c", to[special - from]);
        else
            buf_add_char(out, value.p[i]);
    }
}

static inline void yaml_print_properties(struct buf *out, str anchor, str tag)
{
    if (anchor.len)
        buf_addf(out, " &%.*s", STR_ARG(anchor));
    if (tag.len)
        buf_addf(out, " <%.*s>", STR_ARG(tag));
}

static inline void yaml_print_error(struct buf *out, const char *problem, const char *context,
                                    bool is_reader, size_t line, size_t column, size_t context_line,
                                    size_t context_column)
{
    buf_clear(out);
    if (is_reader) {
        buf_addf(out, "error: %s at offset %zu: %zd\n", problem, line, column);
        return;
    }
    buf_addf(out, "error: %s at %zu:%zu", problem, line, column);
    if (context)
        buf_addf(out, " %s at %zu:%zu", context, context_line, context_column);
    buf_add_char(out, '\n');
}

struct yaml_printer {
    struct buf *out;
    const char *text;
    uint32_t at, chars; /* running count, so that spans cost no walk from the begin */
    bool has_spans;
};

static inline uint32_t yaml_print_chars(struct yaml_printer *p, uint32_t offset)
{
    if (offset < p->at)
        p->at = p->chars = 0;
    for (; p->at < offset; p->at++)
        p->chars += (p->text[p->at] & 0xC0) != 0x80;
    return p->chars;
}

static inline int yaml_print_event(void *ctx, const struct doc_yaml_event *ev)
{
    static const char marks[] = ":'\"|>";
    struct yaml_printer *p = ctx;
    struct buf *out = p->out;
    bool has_span = p->has_spans;

    switch (ev->type) {
    case DOC_YAML_STREAM_START:
        buf_add_cstr(out, "+STR");
        has_span = false;
        break;
    case DOC_YAML_STREAM_END:
        buf_add_cstr(out, "-STR");
        has_span = false;
        break;
    case DOC_YAML_DOC_START:
        buf_add_cstr(out, ev->is_implicit ? "+DOC" : "+DOC ---");
        has_span = false;
        break;
    case DOC_YAML_DOC_END:
        buf_add_cstr(out, ev->is_implicit ? "-DOC" : "-DOC ...");
        has_span = false;
        break;
    case DOC_YAML_ALIAS:
        buf_addf(out, "=ALI *%.*s", STR_ARG(ev->anchor));
        break;
    case DOC_YAML_SCALAR:
        buf_add_cstr(out, "=VAL");
        yaml_print_properties(out, ev->anchor, ev->tag);
        buf_addf(out, " %c", marks[ev->style]);
        yaml_print_value(out, ev->value);
        break;
    case DOC_YAML_LIST_START:
    case DOC_YAML_MAP_START:
        buf_add_cstr(out, ev->type == DOC_YAML_LIST_START ? "+SEQ" : "+MAP");
        if (ev->style == DOC_FLOW)
            buf_add_cstr(out, ev->type == DOC_YAML_LIST_START ? " []" : " {}");
        yaml_print_properties(out, ev->anchor, ev->tag);
        break;
    case DOC_YAML_LIST_END:
        buf_add_cstr(out, "-SEQ");
        has_span = false;
        break;
    case DOC_YAML_MAP_END:
        buf_add_cstr(out, "-MAP");
        has_span = false;
        break;
    }
    if (has_span) {
        uint32_t begin = yaml_print_chars(p, ev->begin);

        buf_addf(out, " @%u-%u", begin, yaml_print_chars(p, ev->end));
    }
    buf_add_char(out, '\n');
    return 0;
}

static inline int yaml_print_entry(void *ctx, const struct doc_yaml_entry *e)
{
    struct doc_yaml_event ev = {.type = DOC_YAML_SCALAR, .style = e->key_style, .value = e->key};

    ev.begin = e->key_begin;
    ev.end = e->key_end;
    yaml_print_event(ctx, &ev);
    if (e->type != DOC_STRING)
        ev.type = e->type == DOC_LIST ? DOC_YAML_LIST_START : DOC_YAML_MAP_START;
    ev.style = e->style;
    ev.value = e->value;
    ev.begin = e->begin;
    ev.end = e->style == DOC_FLOW ? e->begin + 1 : e->end;
    if (e->style != DOC_FLOW || e->is_open)
        return yaml_print_event(ctx, &ev);
    yaml_print_event(ctx, &ev);
    ev =
        (struct doc_yaml_event){.type = e->type == DOC_LIST ? DOC_YAML_LIST_END : DOC_YAML_MAP_END};
    return yaml_print_event(ctx, &ev);
}

static inline int yaml_print_item(void *ctx, const struct doc_yaml_entry *e)
{
    struct doc_yaml_event ev = {.type = e->type == DOC_MAP ? DOC_YAML_MAP_START : DOC_YAML_SCALAR,
                                .style = e->style,
                                .value = e->value};

    ev.begin = e->begin;
    ev.end = e->end;
    return yaml_print_event(ctx, &ev);
}

static inline int yaml_print_close(void *ctx, enum doc_type type, uint32_t where)
{
    struct doc_yaml_event ev = {.type = type == DOC_LIST ? DOC_YAML_LIST_END : DOC_YAML_MAP_END,
                                .begin = where,
                                .end = where};

    return yaml_print_event(ctx, &ev);
}

/* Prints our reading of text; false when it was refused. */
static inline bool yaml_print(str text, bool is_slow, bool has_spans, struct buf *out)
{
    AUTO(arena_done) struct arena arena = {0};
    struct doc_yaml_problem bad, problem;
    struct yaml_printer printer = {.out = out, .has_spans = has_spans};
    struct doc_yaml_sink sink = {&printer, yaml_print_event, is_slow ? NULL : yaml_print_entry,
                                 is_slow ? NULL : yaml_print_item,
                                 is_slow ? NULL : yaml_print_close};
    struct doc_yaml_input in = {.bad = &bad, .arena = &arena, .is_slow = is_slow};
    char *copy;

    doc_yaml_decode(text, &in.text, &copy, &bad);
    arena_adopt(&arena, copy);
    in.text = arena_dup(&arena, in.text);
    printer.text = in.text.p;
    if (doc_yaml_scan(&in, &sink, &problem) == 0)
        return true;
    if (problem.is_reader)
        yaml_print_error(out, problem.problem, NULL, true, problem.reader_offset,
                         (size_t)(ssize_t)problem.reader_value, 0, 0);
    else
        yaml_print_error(out, problem.problem, problem.context, false, problem.problem_mark.line,
                         problem.problem_mark.column, problem.context_mark.line,
                         problem.context_mark.column);
    return false;
}
