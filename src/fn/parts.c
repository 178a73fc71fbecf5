#include "fn/parts.h"

#include "doc/parse.h"

/* "---" at the beginning of a line, a blank or the line's end behind it. */
static bool is_divider(str line)
{
    return str_starts(line, STR("---")) && (line.len == 3 || strchr(" \t\r", line.p[3]));
}

/* One whose only content so far are directives goes on behind its divider. */
str fn_part_next(str *rest)
{
    str lines = *rest, line, part = *rest;
    bool is_prolog = true, has_directive = false;

    while (lines.len) {
        const char *at = lines.p;

        if (!str_next_line(&lines, &line))
            break;
        if (is_divider(line) && at != part.p && !has_directive) {
            part = str_range(part.p, at);
            *rest = str_range(at, rest->p + rest->len);
            return part;
        }
        if (is_divider(line))
            is_prolog = has_directive = false;
        else if (line.len && line.p[0] == '%' && is_prolog)
            has_directive = true;
        else if (line.len && line.p[0] != '#')
            is_prolog = false;
    }
    *rest = STR_NONE;
    return part;
}

int fn_part_explain(struct doc_set *set, str text, const char *origin, struct err *e)
{
    static const struct doc_parse_options options = {.dialect = DOC_KYAML};
    AUTO(doc_list_done) struct doc_list ignored = {0};
    AUTO(err_done) struct err whole = {0};

    if (doc_parse_all(set, text, &options, origin, &ignored, &whole) < 0) {
        err_done(e);
        err_move(e, &whole);
    }
    return -1;
}

size_t fn_part_divider(str text)
{
    str rest = text, line;

    if (!str_next_line(&rest, &line) || !str_drop_prefix(&line, STR("---")))
        return 0;
    line = str_trim(line);
    if (line.len && line.p[0] != '#')
        return 0;
    return rest.p ? (size_t)(rest.p - text.p) : text.len;
}

bool fn_part_has_divider(str text)
{
    return str_starts(text, STR("---")) && (text.len == 3 || strchr(" \t\r\n", text.p[3]));
}
