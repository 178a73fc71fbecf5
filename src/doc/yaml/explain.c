/* libyaml's refusals in our words: what is wrong and, where it is known, what to do about it. */
#include "base/buf.h"
#include "doc/yaml/scan.h"

static const struct {
    char problem[64], context[32]; /* libyaml's; empty context: any */
    char text[96], hint[96];       /* ours; empty hint: none */
} rows[] = {
    {"mapping values are not allowed in this context", "", "a ':' cannot begin a value here",
     "put text that contains ': ' in quotes, or check the indentation of this line and the one "
     "before"},
    {"block sequence entries are not allowed in this context", "",
     "a list entry '- ' cannot begin here", "begin the list on a line of its own"},
    {"mapping keys are not allowed in this context", "", "a key '? ' cannot begin here", ""},
    {"could not find expected ':'", "", "this line has no ':', but a key is expected here",
     "check the indentation, or put a text of several lines in quotes"},
    {"found character that cannot start any token", "", "no value can begin with this character",
     "put text that begins with @, ` or % in quotes"},
    {"found a tab character that violates indentation", "", "a tab cannot indent a line",
     "indent with blanks"},
    {"found a tab character where an indentation space is expected", "",
     "a tab cannot indent a block of text", "indent with blanks"},
    {"did not find expected key", "", "the indentation fits no key of the map around",
     "indent the keys of one map alike; put text that begins with a quote in quotes as a whole"},
    {"did not find expected '-' indicator", "",
     "the list around goes on with '- ' here, or with less indentation", ""},
    {"did not find expected ',' or ']'", "", "',' or ']' is expected here", ""},
    {"did not find expected ',' or '}'", "", "',' or '}' is expected here",
     "put text that contains { or } in quotes: \"{{ … }}\""},
    {"did not find expected node content", "", "a value is expected here", ""},
    {"did not find expected <document start>", "", "a new document must begin with '---' here",
     "check the indentation: text cannot follow a value that is complete"},
    {"found unexpected end of stream", "", "the closing quote is missing", ""},
    {"found unexpected document indicator", "",
     "the closing quote is missing before a new document", ""},
    {"found unknown escape character", "", "unknown escape in a text in double quotes",
     "write \\\\ for a backslash, or use single quotes"},
    {"did not find expected hexdecimal number", "",
     "hexadecimal digits are expected in this escape", ""},
    {"found invalid Unicode character escape code", "", "this escape is no Unicode character", ""},
    {"did not find expected alphabetic or numeric character", "while scanning an alias",
     "'*' begins an alias, which needs a name", "put text that begins with * in quotes"},
    {"did not find expected alphabetic or numeric character", "while scanning an anchor",
     "'&' begins an anchor, which needs a name", "put text that begins with & in quotes"},
    {"found undefined tag handle", "", "the handle of this tag is not declared", ""},
    {"found unexpected ':'", "", "a ':' cannot stand here inside [] or {}",
     "put the text in quotes"},
    {"did not find expected comment or line break", "while scanning a block scalar",
     "only '|' or '>' with '+', '-' or a digit may stand here; the text begins on the next line",
     ""},
    {"found an indentation indicator equal to 0", "",
     "the indentation of a block of text cannot be 0", ""},
    {"control characters are not allowed", "", "control characters are not allowed", ""},
    {"collections are nested too deeply", "", "lists and maps are nested too deeply", ""},
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
            (*rows[i].context && (!p->context || strcmp(rows[i].context, p->context) != 0)))
            continue;
        buf_add_cstr(text, rows[i].text);
        return *rows[i].hint ? rows[i].hint : NULL;
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
