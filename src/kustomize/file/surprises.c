/* What YAML makes of a text that its author may not have meant (--strict): words that are booleans
 * to YAML 1.1 only, numbers that do not look like theirs, merge keys, marks of other encodings. A
 * file of thousands of them is told of the first hundred. */
#include "kustomize/file/surprises.h"

#include "doc/yaml/scan.h"

#define CODE "yaml.surprise"
enum { MOST_OF_A_FILE = 100, LONGEST_EXCERPT = 240 };

struct reader {
    struct diag_list *list;
    const char *origin;
    str text;       /* decoded */
    uint32_t at;    /* lines are counted up to here */
    uint32_t begin; /* of the line it is in */
    uint32_t line;  /* from 1 */
    size_t count;   /* of warnings */
};

/* The line it is in; a JSON text of megabytes is one line, which is not shown. */
static str excerpt(const struct reader *r)
{
    str rest, line = str_cut(str_from(r->text, r->begin), '\n', &rest);

    if (line.len > LONGEST_EXCERPT)
        return STR_NONE;
    return str_trim_right(line, "\r");
}

static void PRINTF(4, 5)
    report(struct reader *r, uint32_t at, const char *hint, const char *fmt, ...)
{
    AUTO(buf_done) struct buf text = {0};
    struct diag d = {.severity = DIAG_WARNING,
                     .code = STR(CODE),
                     .origin = str_of(r->origin),
                     .hint = str_of(hint)};
    va_list args;

    r->count++;
    for (; r->at < at; r->at++)
        if (r->text.p[r->at] == '\n') {
            r->line++;
            r->begin = r->at + 1;
        }
    va_start(args, fmt);
    buf_addv(&text, fmt, args);
    va_end(args);
    d.text = buf_view(&text);
    d.line = r->line;
    d.column = at - r->begin + 1;
    d.excerpt = excerpt(r);
    diag_add(r->list, &d);
}

static bool is_word_of_yaml_1_1(str text, bool *ret_value)
{
    static const char yes[][4] = {"y", "yes", "on"};
    static const char no[][4] = {"n", "no", "off"};

    for (size_t i = 0; i < ARRAY_LEN(yes); i++) {
        *ret_value = str_eq_nocase(text, str_of(yes[i]));
        if (*ret_value || str_eq_nocase(text, str_of(no[i])))
            return true;
    }
    return false;
}

static size_t count_digits(str text)
{
    size_t n = 0;

    while (n < text.len && text.p[n] >= '0' && text.p[n] <= '9')
        n++;
    return n;
}

/* "1e3", as it may stand at the head of a commit; a point or a sign would show what it is. */
static bool is_power(str text)
{
    size_t n = count_digits(text);
    str rest = str_from(text, n);

    return n && rest.len > 1 && (rest.p[0] == 'e' || rest.p[0] == 'E') &&
           count_digits(str_from(rest, 1)) == rest.len - 1;
}

/* "12:30:00": parts below 60 behind the first. */
static bool is_base_60(str text)
{
    str rest, part = str_cut(text, ':', &rest);

    if (!rest.len || !part.len || count_digits(part) != part.len)
        return false;
    while (rest.p) {
        part = str_cut(rest, ':', &rest);
        if (!part.len || part.len > 2 || count_digits(part) != part.len ||
            (part.len == 2 && part.p[0] > '5'))
            return false;
    }
    return true;
}

static bool has_underscores(str text)
{
    bool has_one = false;

    for (size_t i = 0; i < text.len; i++) {
        if (text.p[i] != '_' && (text.p[i] < '0' || text.p[i] > '9'))
            return false;
        has_one = has_one || text.p[i] == '_';
    }
    return has_one && text.p[0] != '_';
}

/* A 0 in front makes the digits octal to YAML 1.1, where they can be. */
static void judge_leading_zero(struct reader *r, const struct doc_yaml_event *ev)
{
    unsigned long long value = 0;

    for (size_t i = 0; i < ev->value.len; i++) {
        if (ev->value.p[i] > '7' || value >> 60) {
            report(r, ev->content, "put it in quotes if it is a text", "%.*s is a number",
                   STR_ARG(ev->value));
            return;
        }
        value = value * 8 + (unsigned)(ev->value.p[i] - '0');
    }
    report(r, ev->content, "put it in quotes, or write the number as it is",
           "%.*s is the number %llu to YAML 1.1", STR_ARG(ev->value), value);
}

static void judge_number(struct reader *r, const struct doc_yaml_event *ev)
{
    str text = ev->value;

    if (text.len > 1 && text.p[0] == '0' && count_digits(text) == text.len)
        judge_leading_zero(r, ev);
    else if (is_power(text))
        report(r, ev->content, "put it in quotes if it is a text", "%.*s is a number",
               STR_ARG(text));
    else if (is_base_60(text))
        report(r, ev->content, "put it in quotes", "%.*s is a number of base 60 to YAML 1.1",
               STR_ARG(text));
    else if (has_underscores(text))
        report(r, ev->content, "put it in quotes, or write the digits only",
               "%.*s is a number, without the underscores", STR_ARG(text));
}

static int judge(void *ctx, const struct doc_yaml_event *ev)
{
    struct reader *r = ctx;
    bool value;

    if (r->count == MOST_OF_A_FILE) {
        report(r, ev->content, "", "there may be more of these in the file, which are not told");
        return -1;
    }
    if (ev->type != DOC_YAML_SCALAR || ev->style != DOC_PLAIN || ev->tag.len || !ev->value.len)
        return 0;
    if (is_word_of_yaml_1_1(ev->value, &value))
        report(r, ev->content,
               value ? "put it in quotes, or write true" : "put it in quotes, or write false",
               "'%.*s' is the boolean %s to YAML 1.1, a text to YAML 1.2", STR_ARG(ev->value),
               value ? "true" : "false");
    else if (str_eq(ev->value, STR("<<")))
        report(r, ev->content, "write out what it brings in",
               "'<<' merges another map into this one in YAML 1.1 only");
    else
        judge_number(r, ev);
    return 0;
}

/* Before the scan, while the place is the first line. */
static void judge_bytes(struct reader *r, str raw, bool is_decoded)
{
    ssize_t end = str_find_char(r->text, '\n');

    if (is_decoded)
        report(r, 0, "save it as UTF-8", "the file is UTF-16");
    else if (str_starts(raw, STR("\xEF\xBB\xBF")))
        report(r, 0, "save it as UTF-8 without the mark", "the file begins with a byte order mark");
    if (end > 0 && r->text.p[end - 1] == '\r')
        report(r, 0, "save it with the line ends of Unix", "lines end with CR LF");
}

static bool is_judged(const struct diag_list *list, const char *origin)
{
    for (size_t i = 0; i < list->len; i++)
        if (str_eq(list->v[i].code, STR(CODE)) && str_eq(list->v[i].origin, str_of(origin)))
            return true;
    return false;
}

static void judge_all(struct diag_list *list, str text, const char *origin)
{
    AUTO(arena_done) struct arena arena = {0};
    struct reader r = {.list = list, .origin = origin, .line = 1};
    struct doc_yaml_sink sink = {.ctx = &r, .event = judge};
    struct doc_yaml_problem bad = {0}, problem = {0};
    struct doc_yaml_input in = {.bad = &bad, .arena = &arena, .max_depth = 1000, .is_go = true};
    char *copy = NULL;
    str plain;

    doc_yaml_decode(text, &plain, &copy, &bad);
    in.text = r.text = arena_dup(&arena, plain); /* the scanner wants a NUL behind it */
    judge_bytes(&r, text, copy != NULL);
    mem_free(copy);
    (void)doc_yaml_scan(&in, &sink, &problem); /* the reader of the build tells what is broken */
}

void kustomize_judge_text(struct kustomize_build *b, str text, const char *origin)
{
    if (b->shared->options->is_strict && !is_judged(b->warnings, origin))
        judge_all(b->warnings, text, origin);
}
