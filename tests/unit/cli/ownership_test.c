/* Which objects are there already, and whose, against the sandbox (helm spec 12.1): many of a kind
 * are looked at with one list, and by name where that does not tell. */
#include <stdatomic.h>

#include "support/test.h"
#include "unit/cli/releases.h"

struct seen { /* by the server, of ConfigMaps */
    atomic_int lists, asked;
    bool forbids_lists;
};

static int before(void *ctx, const struct sandbox_call *call)
{
    struct seen *s = ctx;

    if (!str_eq(call->plural, STR("configmaps")) || !str_eq(call->method, STR("GET")))
        return 0;
    if (call->is_list)
        s->lists++;
    else
        s->asked++;
    return call->is_list && s->forbids_lists ? 403 : 0;
}

static void start(struct world *w, struct seen *s)
{
    struct sandbox_options options = {.hooks = {.before = before, .ctx = s}};

    world_start(w, &options);
}

static void put(struct world *w, const char *name, const char *release)
{
    AUTO(buf_done) struct buf text = {0};

    buf_addf(&text,
             "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":"
             "\"default\",\"name\":\"%s\",\"labels\":{\"app.kubernetes.io/managed-by\":\"Helm\"},"
             "\"annotations\":{\"meta.helm.sh/release-name\":\"%s\","
             "\"meta.helm.sh/release-namespace\":\"default\"}},\"data\":{\"put\":\"%s\"}}",
             name, release, release);
    CHECK(sandbox_put(w->sb, buf_view(&text), &w->e) == 0);
}

/* Installs ConfigMaps c0 to c7. */
static int install_eight(struct world *w, bool adopts, struct err *e)
{
    AUTO(plan_done) struct plan p = {0};

    plan(w, &p, "{{ range $i := until 8 }}\n---\n" CM("c{{ $i }}", "red") "{{ end }}\n", NULL, NULL,
         NULL);
    p.op.takes_ownership = adopts;
    return chart_install(&p.op, &p.record, e);
}

TEST(one_list_tells_which_of_many_objects_are_there)
{
    struct seen s = {0};
    AUTO(world_done) struct world w = {0};

    start(&w, &s);
    put(&w, "c2", "web");
    put(&w, "other", "other");
    CHECK(install_eight(&w, false, &w.e) == 0);
    CHECK_OK(&w.e);
    CHECK(HAS_CM(&w, "c2", "\"color\":\"red\""));
    CHECK(HAS_CM(&w, "c7", "\"color\":\"red\""));
    CHECK_INT(s.lists, 1, "lists");
    CHECK_INT(s.asked, 0, "by name");
}

TEST(an_object_of_another_release_is_found_in_a_list)
{
    struct seen s = {0};
    AUTO(world_done) struct world w = {0};
    AUTO(err_done) struct err e = {0};

    start(&w, &s);
    put(&w, "c3", "other");
    put(&w, "c5", "third");
    CHECK(install_eight(&w, false, &e) < 0);
    CHECK_INT(e.kind, ERR_EXISTS, "kind");
    CHECK_STR(str_of(err_text(&e)),
              STR("unable to continue with install: ConfigMap \"c3\" in namespace \"default\" "
                  "exists and cannot be imported into the current release: invalid ownership "
                  "metadata; annotation validation error: key \"meta.helm.sh/release-name\" must "
                  "equal \"web\": current value is \"other\""),
              "message");
    CHECK(!HAS_CM(&w, "c0", "red"));
    CHECK(install_eight(&w, true, &w.e) == 0);
    CHECK(HAS_CM(&w, "c3", "\"color\":\"red\""));
}

TEST(objects_beyond_the_first_page_are_asked_for_by_name)
{
    struct seen s = {0};
    AUTO(world_done) struct world w = {0};
    AUTO(err_done) struct err e = {0};

    start(&w, &s);
    for (int i = 0; i < 70; i++) {
        char name[16];

        snprintf(name, sizeof(name), "a%d", i);
        put(&w, name, "other");
    }
    put(&w, "c6", "third");
    CHECK(install_eight(&w, false, &e) < 0);
    CHECK(str_contains(str_of(err_text(&e)), STR("ConfigMap \"c6\" in namespace \"default\"")));
    CHECK_INT(s.lists, 1, "lists");
    CHECK_INT(s.asked, 8, "by name");
}

TEST(who_may_not_list_asks_by_name)
{
    struct seen s = {.forbids_lists = true};
    AUTO(world_done) struct world w = {0};
    AUTO(err_done) struct err e = {0};

    start(&w, &s);
    put(&w, "c0", "third");
    CHECK(install_eight(&w, false, &e) < 0);
    CHECK(str_contains(str_of(err_text(&e)), STR("ConfigMap \"c0\" in namespace \"default\"")));
    CHECK_INT(s.asked, 8, "by name");
}
