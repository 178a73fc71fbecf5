/* libyaml's refusals in our words: what is wrong and, where it is known, what to do about it. */
#include "base/buf.h"
#include "doc/yaml_scan.h"

static const struct {
    const char *problem, *context; /* libyaml's; NULL context: any */
    const char *text, *hint;       /* ours; NULL text: libyaml's problem and context */
} rows[] = {
    {"mapping values are not allowed in this context", NULL, "a ':' cannot begin a value here",
     "put text that contains ': ' in quotes, or check the indentation of this line and the one "
     "before"},
    {"block sequence entries are not allowed in this context", NULL,
     "a list entry '- ' cannot begin here", "begin the list on a line of its own"},
    {"mapping keys are not allowed in this context", NULL, "a key '? ' cannot begin here", NULL},
    {"could not find expected ':'", NULL, "this line has no ':', but a key is expected here",
     "check the indentation, or put a text of several lines in quotes"},
    {"found character that cannot start any token", NULL, "no value can begin with this character",
     "put text that begins with @, ` or % in quotes"},
    {"found a tab character that violates indentation", NULL, "a tab cannot indent a line",
     "indent with blanks"},
    {"found a tab character where an indentation space is expected", NULL,
     "a tab cannot indent a block of text", "indent with blanks"},
    {"did not find expected key", NULL, "the indentation fits no key of the map around",
     "indent the keys of one map alike; put text that begins with a quote in quotes as a whole"},
    {"did not find expected '-' indicator", NULL,
     "the list around goes on with '- ' here, or with less indentation", NULL},
    {"did not find expected ',' or ']'", NULL, "',' or ']' is expected here", NULL},
    {"did not find expected ',' or '}'", NULL, "',' or '}' is expected here",
     "put text that contains { or } in quotes: \"{{ … }}\""},
    {"did not find expected node content", NULL, "a value is expected here", NULL},
    {"did not find expected <document start>", NULL, "a new document must begin with '---' here",
     "check the indentation: text cannot follow a value that is complete"},
    {"found unexpected end of stream", NULL, "the closing quote is missing", NULL},
    {"found unexpected document indicator", NULL,
     "the closing quote is missing before a new document", NULL},
    {"found unknown escape character", NULL, "unknown escape in a text in double quotes",
     "write \\\\ for a backslash, or use single quotes"},
    {"did not find expected hexdecimal number", NULL,
     "hexadecimal digits are expected in this escape", NULL},
    {"found invalid Unicode character escape code", NULL, "this escape is no Unicode character",
     NULL},
    {"did not find expected alphabetic or numeric character", "while scanning an alias",
     "'*' begins an alias, which needs a name", "put text that begins with * in quotes"},
    {"did not find expected alphabetic or numeric character", "while scanning an anchor",
     "'&' begins an anchor, which needs a name", "put text that begins with & in quotes"},
    {"found undefined tag handle", NULL, "the handle of this tag is not declared", NULL},
    {"found unexpected ':'", NULL, "a ':' cannot stand here inside [] or {}",
     "put the text in quotes"},
    {"did not find expected comment or line break", "while scanning a block scalar",
     "only '|' or '>' with '+', '-' or a digit may stand here; the text begins on the next line",
     NULL},
    {"found an indentation indicator equal to 0", NULL,
     "the indentation of a block of text cannot be 0", NULL},
    {"control characters are not allowed", NULL, "control characters are not allowed", NULL},
    {"collections are nested too deeply", NULL, "lists and maps are nested too deeply", NULL},
};

static void explain_reader(const struct doc_yaml_problem *p, struct buf *text)
{
    if (strcmp(p->problem, "control characters are not allowed") == 0)
        buf_addf(text, "the control character U+%04X is not allowed", (unsigned)p->reader_value);
    else
        buf_addf(text, "the text is not valid UTF-8: %s", p->problem);
    if (strstr(p->problem, "octet") && p->reader_value >= 0)
        buf_addf(text, " 0x%02X", (unsigned)p->reader_value);
}

const char *doc_yaml_explain(const struct doc_yaml_problem *p, struct buf *text)
{
    if (p->is_reader) {
        explain_reader(p, text);
        return NULL;
    }
    if (p->byte == '\t' && strcmp(p->problem, "found character that cannot start any token") == 0) {
        buf_add_cstr(text, "a tab cannot indent a line");
        return "indent with blanks";
    }
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (strcmp(rows[i].problem, p->problem) != 0 ||
            (rows[i].context && (!p->context || strcmp(rows[i].context, p->context) != 0)))
            continue;
        buf_add_cstr(text, rows[i].text);
        return rows[i].hint;
    }
    buf_add_cstr(text, p->problem);
    if (p->context)
        buf_addf(text, " %s", p->context);
    return NULL;
}

/* The scanner's lines count from 0. */
void doc_yaml_go_words(const struct doc_yaml_problem *p, struct buf *text)
{
    bool is_scanner = !p->context || strncmp(p->context, "while scanning", 14) == 0;
    uint32_t line = p->problem_mark.line;

    if (line)
        line += is_scanner;
    else if (p->context)
        line = p->context_mark.line;
    if (line && !p->is_reader)
        buf_addf(text, "line %u: ", line);
    buf_add_cstr(text, p->problem);
}
