/* The embedded server: how soon it is ready, and what 5,000 Pods cost it in memory. */
#include <unistd.h>

#include "base/mem.h"
#include "bench/input.h"
#include "bench/pair.h"
#include "sandbox/sandbox.h"

enum { PODS = 5000, READY_MS = 50, MOST_MB = 40 };

static double rss_mb(void)
{
    AUTO(buf_done) struct buf text = {0};
    str rest, line;

    if (!input_read("/proc/self/status", &text))
        return -1;
    rest = buf_view(&text);
    while (str_next_line(&rest, &line)) {
        int64_t kb;

        if (str_drop_prefix(&line, STR("VmRSS:")) &&
            str_to_int64(str_cut(str_trim(line), ' ', NULL), &kb))
            return (double)kb / 1024;
    }
    return -1;
}

static int fill(struct sandbox *sb, struct err *e)
{
    for (int i = 0; i < PODS; i++) {
        AUTO(mem_free_str)
        char *pod =
            str_printf("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"pod-%"
                       "05d\",\"namespace\":\"default\",\"labels\":{"
                       "\"app\":\"web\",\"tier\":\"front\",\"pod-template-hash\":\"%08x\"}},"
                       "\"spec\":{\"containers\":[{\"name\":\"web\","
                       "\"image\":\"registry.example.com/shop/"
                       "web:1\",\"ports\":[{\"containerPort\":8080}],\"env\":[{\"name\":\"A\","
                       "\"value\":\"1\"},{\"name\":\"B\",\"value\":\"2\"}],\"resources\":{"
                       "\"requests\":{\"cpu\":\"100m\",\"memory\":"
                       "\"64Mi\"}}}],\"nodeName\":\"node-0\"}}",
                       i, (unsigned)i * 2654435761u);

        if (sandbox_put(sb, str_of(pod), e) < 0)
            return -1;
    }
    return 0;
}

int main(void)
{
    AUTO(err_done) struct err e = {0};
    struct sandbox_options options = {0};
    double start = pair_now(), ready;
    AUTO(sandbox_stop) struct sandbox *sb = sandbox_start(&options, &e);
    bool met;

    ready = pair_now() - start;
    if (!sb || fill(sb, &e) < 0) {
        fprintf(stderr, "sandbox: %s\n", err_text(&e));
        return 2;
    }
    met = pair_value("sandbox/start to ready", ready * 1e3, "ms", READY_MS);
    usleep(3000000); /* until every Pod is Ready and settled */
    met &= pair_value("sandbox/memory with 5,000 Pods", rss_mb(), "MB", MOST_MB);
    return !met;
}
