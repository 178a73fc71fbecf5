#include "res/image.h"

#include "base/ascii.h"

struct res_image_parts res_image_split(str image)
{
    ssize_t slash = str_find_char(image, '/');
    size_t skipped = slash > 0 ? (size_t)slash : 0;
    str rest = str_from(image, skipped);
    ssize_t at = str_find_char(rest, '@'), colon = str_find_char(rest, ':');
    struct res_image_parts parts = {.name = image};

    if (at >= 0) {
        parts.name = str_sub(image, 0, skipped + (size_t)at);
        parts.digest = str_from(rest, (size_t)at + 1);
    }
    if (colon >= 0 && (at < 0 || colon < at)) {
        parts.tag = str_from(parts.name, skipped + (size_t)colon + 1);
        parts.name = str_sub(image, 0, skipped + (size_t)colon);
    }
    return parts;
}

static void change_version(const struct res_image_change *change, struct res_image_parts *parts)
{
    if (change->new_tag.len || change->digest.len) {
        parts->tag = change->new_tag;
        parts->digest = change->digest;
    } else if (change->tag_suffix.len) {
        parts->digest = STR_NONE;
    }
}

void res_image_apply(const struct res_image_change *change, str image, struct buf *out)
{
    struct res_image_parts parts = res_image_split(image);
    str suffix = change->new_tag.len || change->digest.len ? STR_NONE : change->tag_suffix;

    change_version(change, &parts);
    buf_add_str(out, change->new_name.len ? change->new_name : parts.name);
    if (parts.tag.len || suffix.len) {
        buf_add_char(out, ':');
        buf_add_str(out, parts.tag);
        buf_add_str(out, suffix);
    }
    if (parts.digest.len) {
        buf_add_char(out, '@');
        buf_add_str(out, parts.digest);
    }
}

struct re *res_image_pattern(str name)
{
    AUTO(buf_done) struct buf pattern = {0};
    AUTO(err_done) struct err e = {0};

    buf_addf(&pattern,
             "^%.*s(:[a-zA-Z0-9_.{}-]*)?"
             "(@[a-zA-Z0-9]+([+._-][a-zA-Z0-9]+)*:[a-zA-Z0-9_.{}-]*)?$",
             STR_ARG(name));
    return re_compile(buf_view(&pattern), 0, &e);
}

/* ---- the same without the engine */

/* [a-zA-Z0-9_.{}-]* from p on: where it ends. */
static const char *skip_version(const char *p, const char *end)
{
    while (p < end && (ascii_is_alnum(*p) || memchr("_.{}-", *p, 5)))
        p++;
    return p;
}

static const char *skip_alnum(const char *p, const char *end)
{
    while (p < end && ascii_is_alnum(*p))
        p++;
    return p;
}

/* Whether text is what res_image_pattern allows behind the name. */
static bool is_version(str text)
{
    const char *p = text.p, *end = text.p + text.len, *word;

    if (p < end && *p == ':')
        p = skip_version(p + 1, end);
    if (p == end)
        return true;
    if (*p != '@')
        return false;
    do {
        word = p + 1;
        p = skip_alnum(word, end);
        if (p == word)
            return false;
    } while (p < end && memchr("+._-", *p, 4));
    return p < end && *p == ':' && skip_version(p + 1, end) == end;
}

static bool is_plain_name(str name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!ascii_is_alnum(name.p[i]) && !memchr("/-_:.", name.p[i], 5))
            return false;
    return true;
}

/* How many bytes are equal from the beginning; may end early by up to seven. */
static size_t equal_bytes(str a, str b)
{
    size_t len = MIN(a.len, b.len), i = 0;

    for (; len - i >= 8; i += 8) {
        uint64_t x, y;

        memcpy(&x, a.p + i, 8);
        memcpy(&y, b.p + i, 8);
        if (x != y)
            break;
    }
    return i;
}

static bool match_pattern(struct res_image_matcher *m, str image)
{
    if (!m->pattern)
        m->pattern = res_image_pattern(m->name);
    return m->pattern && re_match(m->pattern, image);
}

bool res_image_matcher_init(struct res_image_matcher *m, str name)
{
    *m = (struct res_image_matcher){.name = name, .is_plain = is_plain_name(name)};
    if (!m->is_plain)
        m->pattern = res_image_pattern(name);
    return m->is_plain || m->pattern;
}

bool res_image_matches(struct res_image_matcher *m, str image)
{
    str name = m->name;

    if (!m->is_plain)
        return match_pattern(m, image);
    for (size_t i = equal_bytes(name, image); i < name.len; i++) {
        char c = i < image.len ? image.p[i] : '\n'; /* which no name allows */

        if (c == name.p[i])
            continue;
        if (name.p[i] != '.' || c == '\n')
            return false;
        if ((signed char)c < 0) /* a dot stands for a character, of however many bytes */
            return match_pattern(m, image);
    }
    return is_version(str_from(image, name.len));
}

void res_image_matcher_done(struct res_image_matcher *m)
{
    re_free(m->pattern);
    *m = (struct res_image_matcher){0};
}
