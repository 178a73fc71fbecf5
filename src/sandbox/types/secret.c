#include "sandbox/types/secret.h"

#include "base/escape.h"

static bool is_key(str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.p[i];

        if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') && !(c >= '0' && c <= '9') && c != '-' &&
            c != '_' && c != '.')
            return false;
    }
    return name.len > 0;
}

static void check_keys(const struct doc_node *object, const char *field, struct sb_causes *c)
{
    struct doc_iter it = doc_children(doc_get(object, str_of(field)));

    while (doc_next(&it)) {
        AUTO(buf_done) struct buf at = {0};

        if (is_key(it.key))
            continue;
        buf_addf(&at, "%s[%.*s]", field, STR_ARG(it.key));
        sb_cause(c, "FieldValueInvalid", buf_view(&at),
                 "Invalid value: \"%.*s\": a valid config key must consist of alphanumeric "
                 "characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', "
                 "regex used for validation is '[-._a-zA-Z0-9]+')",
                 STR_ARG(it.key));
    }
}

void sb_data_keys_check(const struct doc_node *object, struct sb_causes *c)
{
    check_keys(object, "data", c);
    check_keys(object, "binaryData", c);
}

static const struct {
    char type[34];
    char keys[2][20];
    bool is_either, is_filled; /* one of the two will do; it may not be empty */
} rows[] = {
    {"kubernetes.io/tls", {"tls.crt", "tls.key"}, false, false},
    {"kubernetes.io/basic-auth", {"username", "password"}, true, false},
    {"kubernetes.io/ssh-auth", {"ssh-privatekey", ""}, false, true},
    {"kubernetes.io/dockerconfigjson", {".dockerconfigjson", ""}, false, false},
    {"kubernetes.io/dockercfg", {".dockercfg", ""}, false, false},
};

static void check_row(const struct doc_node *data, size_t row, struct sb_causes *c)
{
    bool has_some = false;

    for (size_t i = 0; i < ARRAY_LEN(rows[row].keys); i++)
        has_some |= doc_get(data, str_of(rows[row].keys[i])) != NULL;
    for (size_t i = 0; i < ARRAY_LEN(rows[row].keys); i++) {
        str key = str_of(rows[row].keys[i]);
        const struct doc_node *value = doc_get(data, key);
        AUTO(buf_done) struct buf at = {0};

        if (!key.len || (rows[row].is_either && has_some) ||
            (value && (!rows[row].is_filled || doc_text(value, STR_NONE).len)))
            continue;
        buf_addf(&at, "data[%.*s]", STR_ARG(key));
        sb_cause(c, "FieldValueRequired", buf_view(&at), "Required value");
    }
}

/* A pull secret is JSON; what it says is not told. */
static void check_json(const struct doc_node *data, const char *key, struct sb_causes *c)
{
    const struct doc_node *value = doc_get(data, str_of(key));
    AUTO(buf_done) struct buf text = {0}, at = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();

    if (!value || !unescape_base64(doc_text(value, STR_NONE), &text) ||
        doc_parse_json(set, buf_view(&text), "secret", &e))
        return;
    buf_addf(&at, "data[%s]", key);
    sb_cause(c, "FieldValueInvalid", buf_view(&at),
             "Invalid value: \"<secret contents redacted>\": it is no JSON");
}

void sb_secret_check(const struct doc_node *secret, struct sb_causes *c)
{
    const struct doc_node *data = doc_get_lit(secret, "data");
    str type = doc_text(doc_get_lit(secret, "type"), STR_NONE);

    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if (str_eq(type, str_of(rows[i].type)))
            check_row(data, i, c);
    if (str_eq(type, STR("kubernetes.io/dockerconfigjson")))
        check_json(data, ".dockerconfigjson", c);
    if (str_eq(type, STR("kubernetes.io/dockercfg")))
        check_json(data, ".dockercfg", c);
    if (str_eq(type, STR("kubernetes.io/service-account-token")) &&
        !doc_text(doc_get_lit(doc_at(secret, "metadata/annotations"),
                              "kubernetes.io/service-account.name"),
                  STR_NONE)
             .len)
        sb_cause(c, "FieldValueRequired",
                 STR("metadata.annotations[kubernetes.io/service-account.name]"), "Required value");
}
