/* Requests to the sandbox, without sockets: "METHOD TARGET", a line with the content type, the
 * body; several are divided by a line "%%". Every answer has a status and, where it says so, is
 * JSON; every object of the store can be read back. */
#include "base/mem.h"
#include "sandbox/priv.h"
#include "sandbox/seed.h"
#include "sandbox/watch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void is_json(void *ctx, str json)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(err_done) struct err e = {0};

    (void)ctx;
    assert(doc_parse_json(set, json, "stored", &e));
}

static void ask(struct sandbox *sb, str text)
{
    struct sb_req r = {.sb = sb, .user_agent = STR("fuzz/1"), .accept = STR("application/json")};
    str line, target;

    if (!str_next_line(&text, &line))
        return;
    r.method = str_cut(line, ' ', &target);
    if (str_next_line(&text, &line))
        r.content_type = line;
    r.body = text;
    if (sb_req_parse(&r, target)) {
        sb_handle(&r);
        assert(r.status >= 200 && r.status < 600);
        assert(r.out.len || r.watch || r.content_type_out);
        if (r.out.len && !r.content_type_out)
            is_json(NULL, str_trim(buf_view(&r.out)));
    }
    sb_watch_free(r.watch);
    sb_req_done(&r);
    for (int i = 0; i < 100 && sb_loop_step(sb); i++)
        continue;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sandbox_options o = {.is_plain = true};
    AUTO(sandbox_stop) struct sandbox *sb = sb_new(&o);
    str rest = {(const char *)data, size};

    sb_seed(sb);
    while (rest.len) {
        ssize_t end = str_find(rest, STR("\n%%\n"));

        ask(sb, end < 0 ? rest : str_sub(rest, 0, (size_t)end));
        rest = end < 0 ? STR_NONE : str_from(rest, (size_t)end + 4);
    }
    sandbox_each(sb, is_json, NULL);
    return 0;
}
