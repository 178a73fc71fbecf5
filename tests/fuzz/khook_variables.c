/* Any text as variables and as text to substitute in: references are what the grammar says, what
 * is no reference stays byte for byte, places lead back into the text. */
#include "base/base.h"
#include "khook/vars/subst.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_name(str s)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];

        if (!(c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
              (i > 0 && c >= '0' && c <= '9')))
            return false;
    }
    return s.len > 0;
}

static void check_references(str text)
{
    size_t at = 0, behind = 0;
    struct khook_ref ref;

    while (khook_ref_next(text, &at, &ref)) {
        assert(ref.begin >= behind && ref.end <= text.len && ref.begin + 3 < ref.end);
        assert(text.p[ref.begin] == '$' && text.p[ref.begin + 1] == '{' &&
               text.p[ref.end - 1] == '}');
        assert(is_name(ref.name) && str_find_char(ref.fallback, '}') < 0 &&
               str_find_char(ref.fallback, '|') < 0 && str_find_char(ref.pipeline, '}') < 0);
        behind = ref.end;
    }
}

/* Every variable set to its own reference gives the text back, unless there is a default or blank
 * that only the reference has. */
static void check_identity(str text)
{
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(khook_text_done) struct khook_text t = {0};
    AUTO(diag_list_done) struct diag_list problems = {0};
    struct khook_subst_options options = {.vars = &vars};
    bool is_plain = true;
    struct khook_ref ref;
    size_t at = 0;

    while (khook_ref_next(text, &at, &ref)) {
        AUTO(buf_done) struct buf self = {0};

        is_plain &= ref.end - ref.begin == ref.name.len + 3;
        buf_addf(&self, "${%.*s}", STR_ARG(ref.name));
        khook_vars_put(&vars, ref.name, buf_view(&self), false);
    }
    khook_subst(text, "fuzz", &options, &t, &problems);
    if (is_plain) {
        assert(problems.len == 0 && str_eq(buf_view(&t.text), text));
    }
    for (size_t i = 0; i <= t.text.len; i += 1 + t.text.len / 64) {
        struct khook_place place = khook_text_place(&t, i);

        assert(place.line >= 1 && place.column >= 1);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    str text = {(const char *)data, size};
    AUTO(khook_vars_done) struct khook_vars vars = {0};
    AUTO(err_done) struct err e = {0}, set_error = {0};

    check_references(text);
    check_identity(text);
    if (khook_vars_file(&vars, text, "fuzz", &e) < 0)
        assert(e.kind == ERR_USAGE && e.text);
    if (khook_vars_set(&vars, text, &set_error) < 0)
        assert(set_error.kind == ERR_USAGE && set_error.text);
    return 0;
}
