#include "doc/kyaml/node.h"

#include "doc/emit.h"

const char *doc_kyaml_kind(const struct doc_node *n)
{
    switch (doc_type(n)) {
    case DOC_MAP:
        return "MappingNode";
    case DOC_LIST:
        return "SequenceNode";
    case DOC_ALIAS:
        return "AliasNode";
    case DOC_NULL:
    case DOC_BOOL:
    case DOC_NUMBER:
    case DOC_STRING:
        break;
    }
    return "ScalarNode";
}

int doc_expect(const struct doc_node *n, enum doc_type type, struct err *e)
{
    const struct doc_node wanted = {.type = type};
    AUTO(buf_done) struct buf text = {0};

    if (doc_type(n) == type)
        return 0;
    doc_emit(n, DOC_EMIT_KYAML, &text);
    return err_set(e, ERR_INVALID, "wrong node kind: expected %s but got %s: node contents:\n%s",
                   doc_kyaml_kind(&wanted), doc_kyaml_kind(n), buf_cstr(&text));
}

int doc_set_entry(struct doc_set *set, struct doc_node *map, str name, str key,
                  enum doc_style key_style, struct doc_node *value, struct err *e)
{
    struct doc_node *entry;

    if (doc_expect(map, DOC_MAP, e) < 0)
        return -1;
    entry = doc_get(map, name.len ? name : key);
    if (entry && !str_eq(doc_key(entry), key))
        doc_rename(set, map, entry, key);
    entry = doc_set_field(set, map, key, value);
    entry->key_style = key_style & 7;
    return 0;
}

static size_t indent_of(str line)
{
    size_t i = 0;

    while (i < line.len && line.p[i] == ' ')
        i++;
    return i;
}

bool doc_has_wide_lists(str text)
{
    str line, rest = text, key = STR_NONE; /* the last line that is no comment, without its own */

    while (str_next_line(&rest, &line)) {
        size_t indent = indent_of(line);
        str content = str_from(line, indent), trimmed = str_trim_right(key, " ");
        char last = trimmed.len ? trimmed.p[trimmed.len - 1] : '|';

        /* Behind a block scalar's header the line is text. */
        if (str_starts(content, STR("- ")) && !memchr("|>+-", last, 4)) {
            if (indent == indent_of(key))
                return false;
            if (indent == indent_of(key) + 2)
                return true;
        }
        if (!str_starts(content, STR("#")))
            key = str_cut(line, '#', NULL);
    }
    return false;
}
