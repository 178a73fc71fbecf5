#include "chart/name.h"

#include "base/buf.h"
#include "expr/gotmpl/gotmpl.h"
#include "sys/clock.h"
#include "sys/random.h"

#define MAX_NAME 53

static bool is_name_part(str part)
{
    for (size_t i = 0; i < part.len; i++) {
        char c = part.p[i];
        bool is_alnum = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

        if (!is_alnum && (c != '-' || i == 0 || i + 1 == part.len))
            return false;
    }
    return part.len > 0;
}

int chart_check_release_name(str name, struct err *e)
{
    bool is_right = name.len <= MAX_NAME && name.len > 0;

    for (str rest = name; rest.p && is_right;)
        is_right = is_name_part(str_cut(rest, '.', &rest));
    return is_right ? 0
                    : err_set(e, ERR_INVALID,
                              "release name check failed: invalid release name \"%.*s\": at most "
                              "%d lower-case letters, digits, '-' and '.'",
                              STR_ARG(name), MAX_NAME);
}

static int64_t now_ns(void *ctx UNUSED) { return clock_wall_us() * 1000; }
static void fill(void *ctx UNUSED, void *p, size_t len) { random_bytes(p, len); }

int chart_name_from_template(struct arena *arena, str text, str *ret, struct err *e)
{
    static const struct tmpl_options options = {.host = {.now_ns = now_ns, .random = fill}};
    AUTO(tmpl_set_free) struct tmpl_set *set = tmpl_set_new(TMPL_SPRIG);
    AUTO(tmpl_run_free) struct tmpl_run *run = NULL;
    AUTO(buf_done) struct buf out = {0};

    if (tmpl_set_parse(set, STR("name-template"), text, e) < 0)
        return -1;
    run = tmpl_run_new(set, &options);
    if (tmpl_run_exec(run, STR("name-template"), TMPL_NOTHING, &out, e) < 0)
        return -1;
    *ret = arena_dup(arena, buf_view(&out));
    return 0;
}
