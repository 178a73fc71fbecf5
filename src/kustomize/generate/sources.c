#include "kustomize/generate/sources.h"

enum { LONGEST_LINE = 64 * 1024 };

void kustomize_entries_done(struct kustomize_entries *entries) { vec_done(entries); }

static str without_quotes(str s)
{
    if (s.len >= 2 && (s.p[0] == '"' || s.p[0] == '\'') && s.p[s.len - 1] == s.p[0])
        return str_sub(s, 1, s.len - 2);
    return s;
}

int kustomize_source_literal(str source, struct kustomize_entry *ret, struct err *e)
{
    str value, key = str_cut(source, '=', &value);

    if (!key.len || !value.p)
        return err_set(e, ERR_INVALID, "invalid literal source %.*s, expected key=value",
                       STR_ARG(source));
    *ret = (struct kustomize_entry){key, without_quotes(value)};
    return 0;
}

/* The last part of a path as Go's path.Base gives it. */
static str base_name(str path)
{
    str all = path;

    path = str_trim_right(path, "/");
    if (!path.len)
        return all.len ? STR("/") : STR(".");
    return str_from(path, (size_t)(str_rfind_char(path, '/') + 1));
}

int kustomize_source_file(str source, str *ret_key, str *ret_path, struct err *e)
{
    str path, key = str_cut(source, '=', &path);

    if (!path.p) {
        *ret_key = base_name(source);
        *ret_path = source;
        return 0;
    }
    if (str_find_char(path, '=') >= 0)
        return err_set(e, ERR_INVALID, "source \"%.*s\" key name or file path contains '='",
                       STR_ARG(source));
    if (!key.len)
        return err_set(e, ERR_INVALID, "missing key name for file path \"%.*s\" in source \"%.*s\"",
                       STR_ARG(path), STR_ARG(source));
    if (!path.len)
        return err_set(e, ERR_INVALID, "missing file path for key name \"%.*s\" in source \"%.*s\"",
                       STR_ARG(key), STR_ARG(source));
    *ret_key = key;
    *ret_path = path;
    return 0;
}

/* Blanks by Unicode's property White_Space, as Go's unicode.IsSpace has them. */
static bool is_space(uint32_t c)
{
    return (c >= '\t' && c <= '\r') || c == ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
           c == 0x205f || c == 0x3000;
}

static str trim_left(str line)
{
    size_t width;

    while (line.len && is_space(str_utf8_at(line, 0, &width)))
        line = str_from(line, width);
    return line;
}

/* kustomize's scanner ends lines at \n and drops one \r before it, nothing else. */
static bool next_line(str *rest, str *ret)
{
    if (!rest->len)
        return false;
    *ret = str_cut(*rest, '\n', rest);
    return true;
}

static str without_cr(str line)
{
    return line.len && line.p[line.len - 1] == '\r' ? str_sub(line, 0, line.len - 1) : line;
}

int kustomize_source_env(str text, struct kustomize_entries *ret, unsigned *ret_cut, struct err *e)
{
    str line;

    *ret_cut = 0;
    for (unsigned number = 1; next_line(&text, &line); number++) {
        struct kustomize_entry entry;

        if (line.len >= LONGEST_LINE) {
            *ret_cut = number;
            return 0;
        }
        line = without_cr(line);
        if (!str_is_utf8(line, NULL))
            return err_set(e, ERR_INVALID, "%u: invalid utf8 bytes", number);
        if (number == 1)
            str_drop_prefix(&line, STR("\xef\xbb\xbf"));
        line = trim_left(line);
        if (!line.len || line.p[0] == '#')
            continue;
        entry.key = str_cut(line, '=', &entry.value);
        if (entry.key.len)
            vec_push(ret, entry);
    }
    return 0;
}

static int by_key(const void *a, const void *b)
{
    return str_cmp(((const struct kustomize_entry *)a)->key,
                   ((const struct kustomize_entry *)b)->key);
}

bool kustomize_entries_sort(struct kustomize_entries *entries, str *ret_twice)
{
    vec_sort(entries, by_key);
    for (size_t i = 1; i < entries->len; i++)
        if (str_eq(entries->v[i - 1].key, entries->v[i].key)) {
            *ret_twice = entries->v[i].key;
            return false;
        }
    return true;
}
