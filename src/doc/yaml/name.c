/* Directives, anchors, aliases and tags (libyaml 0.2.5, scanner). */
#include "doc/yaml/yaml_priv.h"

#include "base/ascii.h"

enum { VERSION_DIGITS_MAX = 9 };

static void skip_blanks(struct scanner *s)
{
    while (ch_is(s->p, CH_BLANK))
        s->p++;
}

static bool scan_version_number(struct scanner *s, const char *start, int *ret)
{
    int digits = 0;

    for (*ret = 0; *s->p >= '0' && *s->p <= '9'; s->p++) {
        if (++digits > VERSION_DIGITS_MAX)
            return scan_fail(s, "while scanning a %YAML directive", start,
                             "found extremely long version number");
        *ret = *ret * 10 + (*s->p - '0');
    }
    if (digits == 0)
        return scan_fail(s, "while scanning a %YAML directive", start,
                         "did not find expected version number");
    return true;
}

static bool scan_version(struct scanner *s, const char *start, struct token *t)
{
    t->type = TOKEN_VERSION;
    skip_blanks(s);
    if (!scan_version_number(s, start, &t->major))
        return false;
    if (*s->p != '.')
        return scan_fail(s, "while scanning a %YAML directive", start,
                         "did not find expected digit or '.' character");
    s->p++;
    return scan_version_number(s, start, &t->minor);
}

/* '!', '!!' or '!name!'; in a tag also '!name', the begin of a suffix to the handle '!'. */
static bool scan_handle(struct scanner *s, bool is_directive, const char *start, str *ret)
{
    const char *begin = s->p;

    if (*s->p != '!')
        return scan_fail(s,
                         is_directive ? "while scanning a tag directive" : "while scanning a tag",
                         start, "did not find expected '!'");
    s->p++;
    while (ch_is(s->p, CH_WORD))
        s->p++;
    if (*s->p == '!')
        s->p++;
    else if (is_directive && s->p - begin > 1)
        return scan_fail(s, "while parsing a tag directive", start, "did not find expected '!'");
    *ret = str_range(begin, s->p);
    return true;
}

/* Bytes of a character that begins with this octet, 0 when none does. */
static unsigned utf8_width(unsigned octet)
{
    if (octet < 0x80)
        return 1;
    if ((octet & 0xE0) == 0xC0)
        return 2;
    if ((octet & 0xF0) == 0xE0)
        return 3;
    return (octet & 0xF8) == 0xF0 ? 4 : 0;
}

/* One character written as %XX for each of its bytes. */
static bool scan_uri_escape(struct scanner *s, const char *context, const char *start)
{
    unsigned width = 0;

    do {
        unsigned octet;

        if (*s->p != '%' || !ch_is(s->p + 1, CH_HEX) || !ch_is(s->p + 2, CH_HEX))
            return scan_fail(s, context, start, "did not find URI escaped octet");
        octet = (unsigned)ascii_hex_value(s->p[1]) << 4 | (unsigned)ascii_hex_value(s->p[2]);
        if (width == 0) {
            width = utf8_width(octet);
            if (width == 0)
                return scan_fail(s, context, start, "found an incorrect leading UTF-8 octet");
        } else if ((octet & 0xC0) != 0x80) {
            return scan_fail(s, context, start, "found an incorrect trailing UTF-8 octet");
        }
        buf_add_char(&s->scratch, (char)octet);
        s->p += 3;
    } while (--width);
    return true;
}

/* The rest of a tag, begun at begin: a view unless something in it is escaped. */
static bool scan_uri(struct scanner *s, bool is_verbatim, bool is_directive, const char *begin,
                     const char *start, str *ret)
{
    const char *context = is_directive ? "while parsing a %TAG directive" : "while parsing a tag";
    const char *copied = begin;
    bool is_escaped = false;

    buf_clear(&s->scratch);
    while (ch_is(s->p, CH_URI) || (is_verbatim && (*s->p == ',' || *s->p == '[' || *s->p == ']'))) {
        if (*s->p != '%') {
            s->p++;
            continue;
        }
        is_escaped = true;
        buf_add(&s->scratch, copied, (size_t)(s->p - copied));
        if (!scan_uri_escape(s, context, start))
            return false;
        copied = s->p;
    }
    *ret = str_range(begin, s->p);
    if (is_escaped) {
        buf_add(&s->scratch, copied, (size_t)(s->p - copied));
        *ret = arena_dup(s->arena, buf_view(&s->scratch));
        ret->len = strlen(ret->p); /* as libyaml: an escaped NUL ends it */
    }
    return true;
}

static bool scan_tag_directive(struct scanner *s, const char *start, struct token *t)
{
    const char *begin;

    t->type = TOKEN_TAG_DIRECTIVE;
    skip_blanks(s);
    if (!scan_handle(s, true, start, &t->value))
        return false;
    if (!ch_is(s->p, CH_BLANK))
        return scan_fail(s, "while scanning a %TAG directive", start,
                         "did not find expected whitespace");
    skip_blanks(s);
    begin = s->p;
    if (!ch_is(s->p, CH_URI) && *s->p != ',' && *s->p != '[' && *s->p != ']')
        return scan_fail(s, "while parsing a %TAG directive", start,
                         "did not find expected tag URI");
    if (!scan_uri(s, true, true, begin, start, &t->suffix))
        return false;
    if (!is_blankz(s->p))
        return scan_fail(s, "while scanning a %TAG directive", start,
                         "did not find expected whitespace or line break");
    return true;
}

bool scan_directive(struct scanner *s, struct token *t)
{
    const char *start = s->p, *name = ++s->p;
    str word;

    while (ch_is(s->p, CH_WORD))
        s->p++;
    word = str_range(name, s->p);
    if (word.len == 0)
        return scan_fail(s, "while scanning a directive", start,
                         "could not find expected directive name");
    if (!is_blankz(s->p))
        return scan_fail(s, "while scanning a directive", start,
                         "found unexpected non-alphabetical character");
    if (str_eq(word, STR("YAML"))) {
        if (!scan_version(s, start, t))
            return false;
    } else if (str_eq(word, STR("TAG"))) {
        if (!scan_tag_directive(s, start, t))
            return false;
    } else {
        return scan_fail(s, "while scanning a directive", start, "found unknown directive name");
    }
    t->begin = at(s, start);
    t->end = at(s, s->p);
    skip_blanks(s);
    if (*s->p == '#')
        while (!is_breakz(s->p))
            s->p++;
    if (!is_breakz(s->p))
        return scan_fail(s, "while scanning a directive", start,
                         "did not find expected comment or line break");
    if (*s->p)
        skip_line(s);
    return true;
}

bool scan_anchor(struct scanner *s, struct token *t)
{
    const char *start = s->p;
    bool is_anchor = *start == '&';

    s->p++;
    while (ch_is(s->p, CH_WORD))
        s->p++;
    if (s->p - start == 1 || !(is_blankz(s->p) || strchr("?:,]}%@`", *s->p)))
        return scan_fail(s, is_anchor ? "while scanning an anchor" : "while scanning an alias",
                         start, "did not find expected alphabetic or numeric character");
    *t = (struct token){.type = is_anchor ? TOKEN_ANCHOR : TOKEN_ALIAS,
                        .begin = at(s, start),
                        .end = at(s, s->p),
                        .value = str_range(start + 1, s->p)};
    return true;
}

static bool scan_verbatim_tag(struct scanner *s, const char *start, struct token *t)
{
    const char *begin;

    s->p += 2;
    begin = s->p;
    if (*s->p != ',' && *s->p != '[' && *s->p != ']' && !ch_is(s->p, CH_URI))
        return scan_fail(s, "while parsing a tag", start, "did not find expected tag URI");
    if (!scan_uri(s, true, false, begin, start, &t->suffix))
        return false;
    if (*s->p != '>')
        return scan_fail(s, "while scanning a tag", start, "did not find the expected '>'");
    s->p++;
    return true;
}

bool scan_tag(struct scanner *s, struct token *t)
{
    const char *start = s->p;

    *t = (struct token){.type = TOKEN_TAG};
    if (s->p[1] == '<') {
        if (!scan_verbatim_tag(s, start, t))
            return false;
    } else {
        if (!scan_handle(s, false, start, &t->value))
            return false;
        if (t->value.len > 1 && t->value.p[t->value.len - 1] == '!') {
            if (!ch_is(s->p, CH_URI))
                return scan_fail(s, "while parsing a tag", start, "did not find expected tag URI");
            if (!scan_uri(s, false, false, s->p, start, &t->suffix))
                return false;
        } else {
            t->value = str_range(start, start + 1);
            if (!scan_uri(s, false, false, start + 1, start, &t->suffix))
                return false;
            if (t->suffix.len == 0) { /* the tag "!" itself */
                t->suffix = t->value;
                t->value = STR_NONE;
            }
        }
    }
    if (!is_blankz(s->p) && !(s->flow_level && *s->p == ','))
        return scan_fail(s, "while scanning a tag", start,
                         "did not find expected whitespace or line break");
    t->begin = at(s, start);
    t->end = at(s, s->p);
    return true;
}
