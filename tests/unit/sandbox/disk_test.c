/* The data file: what is in it after a restart, and when it cannot be written. */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/log.h"
#include "base/map.h"
#include "unit/sandbox/api.h"

#define CM "/api/v1/namespaces/default/configmaps"
#define SERVICES "/api/v1/namespaces/default/services"
#define DEPLOYMENTS "/apis/apps/v1/namespaces/default/deployments"

/* ---- a disk that is full */

/* No file may grow beyond that; -1: all may. */
static void limit_files(long bytes)
{
    struct rlimit limit;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes < 0 ? limit.rlim_max : (rlim_t)bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

struct noted {
    struct buf text;
    int lines;
};

static void note_line(void *ctx, enum log_level level UNUSED, str line)
{
    struct noted *log = ctx;

    buf_add_str(&log->text, line);
    log->lines++;
}

static int post_big(struct api *a, const char *name, struct doc_node **ret)
{
    AUTO(buf_done) struct buf body = {0};

    buf_addf(&body, "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"k\":\"", name);
    for (int i = 0; i < 30000; i++)
        buf_add_char(&body, 'x');
    buf_add_cstr(&body, "\"}}");
    return api_post(a, CM, buf_cstr(&body), ret);
}

static void check_refusal(int status, const struct doc_node *n, const char *what)
{
    CHECK_INT(status, 500, what);
    CHECK_STR(api_text(n, "reason"), STR("InternalError"), what);
    CHECK(str_starts(api_text(n, "message"), STR("the data file cannot be written: ")));
}

static void fill_disk(struct api *a, const struct noted *log)
{
    struct doc_node *n = NULL;
    char name[16];
    int status = 0, i = 0;

    for (; i < 100; i++) {
        snprintf(name, sizeof(name), "big-%d", i);
        status = post_big(a, name, &n);
        if (status != 201)
            break;
    }
    CHECK(i > 0);
    check_refusal(status, n, "the first that is not stored");
    check_refusal(api_post(a, CM, "{\"metadata\":{\"name\":\"small\"}}", &n), n, "the next");
    check_refusal(api_delete(a, CM "/big-0", &n), n, "a deletion");
    CHECK_INT(api_get(a, CM "/small", &n), 404, "nothing was done");
    CHECK_INT(api_get(a, CM "/big-0", &n), 200, "reads are answered");
    CHECK(str_contains(buf_view(&log->text), STR("the data file cannot be written: ")));
    CHECK_INT(log->lines, 1, "lines of the log");
}

TEST(what_cannot_be_stored_is_refused_until_it_can)
{
    AUTO(buf_done) struct buf file = {0};
    struct noted log = {0};

    buf_addf(&file, "%s/full.db", test_tmp());
    log_set_sink(note_line, &log);
    for (int round = 0; round < 2; round++) {
        AUTO(api_stop) struct api a = {0};
        struct doc_node *n;

        api_start(&a, &(struct sandbox_options){.data_file = buf_cstr(&file), .is_bare = true});
        if (round == 0) {
            limit_files(200000);
            fill_disk(&a, &log);
            limit_files(-1);
            CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"name\":\"small\"}}", &n), 201,
                      "room again");
        }
        CHECK_INT(api_get(&a, CM "/big-0", &n), 200, "stored before");
        CHECK_INT(api_get(&a, CM "/small", &n), 200, "stored after");
    }
    log_set_sink(NULL, NULL);
    buf_done(&log.text);
}

/* ---- what goes on */

static uint64_t version_of(struct api *a, const char *path)
{
    struct doc_node *n;
    uint64_t version = 0;

    CHECK_INT(api_get(a, path, &n), 200, path);
    CHECK(str_to_uint64(api_text(n, "metadata/resourceVersion"), &version));
    return version;
}

TEST(versions_of_deleted_objects_do_not_come_again)
{
    AUTO(buf_done) struct buf file = {0};
    uint64_t before = 0;

    buf_addf(&file, "%s/versions.db", test_tmp());
    for (int round = 0; round < 2; round++) {
        AUTO(api_stop) struct api a = {0};

        api_start(&a, &(struct sandbox_options){.data_file = buf_cstr(&file), .is_bare = true});
        CHECK_INT(api_post(&a, CM, "{\"metadata\":{\"name\":\"c\"}}", NULL), 201, "create");
        if (round == 0) {
            before = version_of(&a, CM "/c");
            CHECK_INT(api_delete(&a, CM "/c", NULL), 200, "delete");
        } else {
            CHECK(version_of(&a, CM "/c") > before + 1);
        }
    }
}

TEST(a_rollout_goes_on_after_a_restart)
{
    static const char deployment[] =
        "{\"metadata\":{\"name\":\"web\"},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":"
        "{\"app\":\"web\"}},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{"
        "\"containers\":[{\"name\":\"c\",\"image\":\"example/web\"}]}}}}";
    AUTO(buf_done) struct buf file = {0};

    buf_addf(&file, "%s/rollout.db", test_tmp());
    for (int round = 0; round < 2; round++) {
        AUTO(api_stop) struct api a = {0};

        api_start(&a, &(struct sandbox_options){.data_file = buf_cstr(&file),
                                                .no_controllers = round == 0});
        if (round == 0)
            CHECK_INT(api_post(&a, DEPLOYMENTS, deployment, NULL), 201, "create");
        else
            api_await(&a, DEPLOYMENTS "/web", "status/availableReplicas", "2");
    }
}

TEST(a_data_file_is_used_by_one_sandbox_at_a_time)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf file = {0}, want = {0};
    struct sandbox_options options = {.is_bare = true, .is_plain = true};
    struct sandbox *first, *second;

    buf_addf(&file, "%s/one.db", test_tmp());
    buf_addf(&want,
             "%s: another sandbox uses the data file (process %d): stop it, or take another file",
             buf_cstr(&file), (int)getpid());
    options.data_file = buf_cstr(&file);
    first = sandbox_start(&options, &e);
    CHECK_OK(&e);
    second = sandbox_start(&options, &e);
    CHECK(!second);
    CHECK_INT(e.kind, ERR_CONFLICT, "kind");
    CHECK_STR(str_of(err_text(&e)), buf_view(&want), "message");
    sandbox_stop(second);
    sandbox_stop(first);
    err_done(&e);
    first = sandbox_start(&options, &e); /* the lock has gone with the first */
    CHECK_OK(&e);
    sandbox_stop(first);
}

TEST(addresses_that_are_in_use_are_not_handed_out_again)
{
    static const char node_port[] =
        "{\"metadata\":{\"name\":\"%s\"},\"spec\":{\"type\":\"NodePort\",\"ports\":"
        "[{\"port\":80}]}}";
    static const char *const names[] = {"one", "two", "three"};
    AUTO(buf_done) struct buf file = {0};
    AUTO(map_done) struct map seen = {0};
    AUTO(arena_done) struct arena arena = {0};

    buf_addf(&file, "%s/addresses.db", test_tmp());
    for (size_t round = 0; round < ARRAY_LEN(names); round++) {
        AUTO(api_stop) struct api a = {0};
        AUTO(buf_done) struct buf body = {0};
        struct doc_node *n = NULL;
        struct doc_iter ports;
        str ip;

        api_start(&a,
                  &(struct sandbox_options){.data_file = buf_cstr(&file), .no_controllers = true});
        buf_addf(&body, node_port, names[round]);
        CHECK_INT(api_post(&a, SERVICES, buf_cstr(&body), &n), 201, names[round]);
        ip = api_text(n, "spec/clusterIP");
        CHECK(ip.len && !str_eq(ip, STR("10.0.0.1"))); /* which the Service kubernetes has */
        CHECK(!map_has(&seen, ip));
        map_put(&seen, arena_dup(&arena, ip), NULL);
        ports = doc_children(doc_at(n, "spec/ports"));
        CHECK(doc_next(&ports));
        ip = api_text(ports.value, "nodePort");
        CHECK(ip.len && !map_has(&seen, ip));
        map_put(&seen, arena_dup(&arena, ip), NULL);
    }
}
