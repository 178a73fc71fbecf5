/* libyaml as the oracle of our scanner: both print what they make of a text in one form. */
#pragma once
#include <yaml.h>

#include "support/yaml_events.h"

static inline str oracle_str(const void *s) { return str_of((const char *)s); }

static inline void oracle_libyaml_event(const yaml_event_t *ev, bool has_spans, struct buf *out)
{
    static const char marks[] = "?:'\"|>";
    bool has_span = has_spans;

    switch (ev->type) {
    case YAML_STREAM_START_EVENT:
        buf_add_cstr(out, "+STR");
        has_span = false;
        break;
    case YAML_STREAM_END_EVENT:
        buf_add_cstr(out, "-STR");
        has_span = false;
        break;
    case YAML_DOCUMENT_START_EVENT:
        buf_add_cstr(out, ev->data.document_start.implicit ? "+DOC" : "+DOC ---");
        has_span = false;
        break;
    case YAML_DOCUMENT_END_EVENT:
        buf_add_cstr(out, ev->data.document_end.implicit ? "-DOC" : "-DOC ...");
        has_span = false;
        break;
    case YAML_ALIAS_EVENT:
        buf_addf(out, "=ALI *%s", ev->data.alias.anchor);
        break;
    case YAML_SCALAR_EVENT:
        buf_add_cstr(out, "=VAL");
        yaml_print_properties(out, oracle_str(ev->data.scalar.anchor),
                              oracle_str(ev->data.scalar.tag));
        buf_addf(out, " %c", marks[ev->data.scalar.style]);
        yaml_print_value(out, (str){(const char *)ev->data.scalar.value, ev->data.scalar.length});
        break;
    case YAML_SEQUENCE_START_EVENT:
        buf_add_cstr(out, ev->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE ? "+SEQ []"
                                                                                    : "+SEQ");
        yaml_print_properties(out, oracle_str(ev->data.sequence_start.anchor),
                              oracle_str(ev->data.sequence_start.tag));
        break;
    case YAML_MAPPING_START_EVENT:
        buf_add_cstr(out,
                     ev->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE ? "+MAP {}" : "+MAP");
        yaml_print_properties(out, oracle_str(ev->data.mapping_start.anchor),
                              oracle_str(ev->data.mapping_start.tag));
        break;
    case YAML_SEQUENCE_END_EVENT:
        buf_add_cstr(out, "-SEQ");
        has_span = false;
        break;
    case YAML_MAPPING_END_EVENT:
        buf_add_cstr(out, "-MAP");
        has_span = false;
        break;
    case YAML_NO_EVENT:
        break;
    }
    if (has_span)
        buf_addf(out, " @%zu-%zu", ev->start_mark.index, ev->end_mark.index);
    buf_add_char(out, '\n');
}

/* Prints libyaml's reading of text; false when it was refused. */
static inline bool oracle_libyaml(str text, bool has_spans, struct buf *out)
{
    yaml_parser_t parser;
    yaml_event_t ev;
    bool is_end = false, is_good = true;

    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.p, text.len);
    while (!is_end && (is_good = yaml_parser_parse(&parser, &ev))) {
        oracle_libyaml_event(&ev, has_spans, out);
        is_end = ev.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&ev);
    }
    if (!is_good && parser.error == YAML_READER_ERROR)
        yaml_print_error(out, parser.problem, NULL, true, parser.problem_offset,
                         (size_t)(ssize_t)parser.problem_value, 0, 0);
    else if (!is_good)
        yaml_print_error(out, parser.problem, parser.context, false, parser.problem_mark.line,
                         parser.problem_mark.column, parser.context_mark.line,
                         parser.context_mark.column);
    yaml_parser_delete(&parser);
    return is_good;
}

/* Whether our scanner, with and without its short cuts, makes of text what libyaml does; else *why
 * holds all three readings. Which of two mistakes comes first hangs on how far libyaml looks ahead
 * when the last character is cut short: there only acceptance counts. */
static inline bool oracle_agrees(str text, struct buf *why)
{
    AUTO(buf_done) struct buf fast = {0};
    AUTO(buf_done) struct buf slow = {0};
    AUTO(buf_done) struct buf want = {0};
    const str cut_short = STR("error: incomplete");
    bool is_good = oracle_libyaml(text, true, &want);
    bool agrees = yaml_print(text, false, true, &fast) == is_good;

    agrees &= yaml_print(text, true, true, &slow) == is_good;
    if (agrees &&
        (str_starts(buf_view(&fast), cut_short) || str_starts(buf_view(&want), cut_short)))
        return true;
    agrees &= str_eq(buf_view(&fast), buf_view(&want)) && str_eq(buf_view(&slow), buf_view(&want));
    if (!agrees)
        buf_addf(why, "--- text\n%.*s\n--- ours\n%s--- ours, slow\n%s--- libyaml\n%s",
                 STR_ARG(text), buf_cstr(&fast), buf_cstr(&slow), buf_cstr(&want));
    return agrees;
}
