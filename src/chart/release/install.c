/* install (helm spec 10.1). */
#include "chart/name.h"
#include "chart/release/release_priv.h"
#include "chart/render_priv.h"
#include "chart/yaml.h"

static int check_free(const struct chart_begun *b, struct err *e)
{
    enum chart_status status = b->last ? b->last->status : CHART_UNKNOWN;

    if (!b->last || b->took_over || b->run.op->dry_run != CHART_DRY_NONE)
        return 0;
    if (b->run.op->replaces && (status == CHART_UNINSTALLED || status == CHART_FAILED))
        return 0;
    return err_set(e, ERR_EXISTS,
                   "release name check failed: cannot reuse a name that is still in use");
}

/* A record that --replace puts another in front of is superseded, unless it failed. */
static int retire_last(struct chart_begun *b, struct err *e)
{
    if (!b->last || b->last->status == CHART_FAILED)
        return 0;
    chart_record_set_status(b->last, CHART_SUPERSEDED, STR("superseded by new release"));
    return chart_store_update(b->store, b->last, b->cancel, e);
}

/* As a map of texts without those that are null. */
static struct doc_node *labels_of(const struct chart_operation *op)
{
    return op->labels ? chart_labels_merge(op->set, NULL, op->labels) : NULL;
}

struct doc_node *chart_labels_merge(struct doc_set *set, const struct doc_node *before,
                                    const struct doc_node *given)
{
    struct doc_node *labels = doc_is_map(before) ? doc_copy(set, before) : doc_new_map(set);
    struct doc_iter it = doc_children(given);

    while (doc_next(&it)) {
        str text = doc_text(it.value, STR("null"));

        if (str_eq(text, STR("null")))
            doc_remove(labels, it.key);
        else
            doc_set_string(set, labels, it.key, text);
    }
    return labels;
}

static int create_namespace(const struct chart_run *run, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(chart_objects_done) struct chart_objects objects = {0};
    struct chart_run plain = *run;

    plain.server_side = false; /* an existing one stays as it is */
    buf_addf(&text,
             "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: \"%.*s\"\n  labels:\n    name: "
             "\"%.*s\"\n",
             STR_ARG(run->op->ns), STR_ARG(run->op->ns));
    if (chart_objects_parse(&plain, buf_view(&text), &objects, e) < 0)
        return -1;
    if (chart_create_object(&plain, &objects.v[0], e) == 0)
        return 0;
    if (e->kind != ERR_EXISTS)
        return err_wrap(e, "create namespace %.*s", STR_ARG(run->op->ns));
    err_done(e);
    return 0;
}

void chart_hide_secrets(struct chart_record *r)
{
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str document, rest = chart_record_manifest(r);

    while (chart_next_document(&rest, &document)) {
        AUTO(err_done) struct err ignored = {0};
        const struct doc_node *root = chart_parse_yaml(set, document, &ignored);
        str line, body = document;

        if (!str_eq(doc_text(doc_get_lit(root, "kind"), STR("")), STR("Secret")))
            buf_addf(&out, "---\n%.*s", STR_ARG(document));
        else if (str_next_line(&body, &line))
            buf_addf(&out, "---\n%.*s\n# HIDDEN: The Secret output has been suppressed\n",
                     STR_ARG(line));
    }
    chart_record_set_manifest(r, buf_view(&out));
}

/* What there is to send, checked against the cluster. */
static int prepare(struct chart_begun *b, const struct chart_record *r,
                   struct chart_objects *objects, struct err *e)
{
    if (chart_objects_parse(&b->run, chart_record_manifest(r), objects, e) < 0)
        return err_wrap(e, "unable to build kubernetes objects from release manifest");
    chart_objects_own(&b->run, objects);
    if (chart_objects_check(&b->run, objects, NULL, b->run.op->takes_ownership, e) < 0)
        return err_wrap(e, "unable to continue with install");
    return 0;
}

static int end_dry_run(const struct chart_operation *op, struct chart_record *r)
{
    chart_record_set_status(r, r->status, STR("Dry run complete"));
    if (op->hides_secrets)
        chart_hide_secrets(r);
    return 0;
}

static int carry_out(struct chart_begun *b, struct chart_record *r, struct chart_objects *objects,
                     struct err *e)
{
    struct chart_objects none = {0};
    struct chart_course course = {.record = r,
                                  .objects = objects,
                                  .baseline = &none,
                                  .before = CHART_PRE_INSTALL,
                                  .after = CHART_POST_INSTALL,
                                  .before_fails = "failed pre-install",
                                  .after_fails = "failed post-install"};

    if (chart_carry_out(b, &course, e) == 0 &&
        chart_complete(b, r, STR("Install complete"), 0, e) == 0)
        return 0;
    return chart_fail(b, r, "Release", e);
}

/* *ret_stored: the record is in the cluster. */
static int install(const struct chart_operation *op, struct chart_record *ret, bool *ret_stored,
                   struct err *e)
{
    AUTO(chart_begun_done) struct chart_begun b = {0};
    AUTO(chart_objects_done) struct chart_objects objects = {0};
    const struct chart_objects none = {0};
    struct chart_record_start start = {.name = op->name,
                                       .ns = op->ns,
                                       .status = CHART_PENDING_INSTALL,
                                       .description = STR("Initial install underway"),
                                       .now_us = clock_wall_us(),
                                       .config = op->values,
                                       .labels = labels_of(op)};

    if (chart_begin(&b, op, e) < 0 || check_free(&b, e) < 0)
        return -1;
    b.run.server_side = chart_picks_server(op, NULL);
    start.is_client_side = !b.run.server_side;
    start.revision = b.last && op->dry_run == CHART_DRY_NONE ? b.last->revision + 1 : 1;
    if (chart_render_record(&b.run, op->values, &start, ret, e) < 0 ||
        prepare(&b, ret, &objects, e) < 0)
        return -1;
    if (op->dry_run != CHART_DRY_NONE)
        return chart_foresee(&b.run, &objects, &none, false, e) < 0 ? -1 : end_dry_run(op, ret);
    if ((op->creates_namespace && create_namespace(&b.run, e) < 0) || retire_last(&b, e) < 0 ||
        chart_store_first(&b, ret, e) < 0)
        return -1;
    *ret_stored = true;
    return carry_out(&b, ret, &objects, e);
}

static int install_without_cluster(const struct chart_operation *op, struct chart_record *ret,
                                   struct err *e)
{
    struct chart_run run = {.op = op, .cancel = op->cancel};
    struct chart_record_start start = {.name = op->name,
                                       .ns = op->ns,
                                       .revision = 1,
                                       .status = CHART_PENDING_INSTALL,
                                       .description = STR("Initial install underway"),
                                       .now_us = clock_wall_us(),
                                       .config = op->values,
                                       .labels = labels_of(op)};

    if (chart_render_record(&run, op->values, &start, ret, e) < 0)
        return -1;
    return end_dry_run(op, ret);
}

/* --rollback-on-failure: what an install goes back to is nothing. */
static int undo(const struct chart_operation *op, struct err *e)
{
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, CLOCK_NEVER);
    struct chart_operation back = chart_undo_of(op, cancel);
    struct chart_uninstall_options options = {0};
    AUTO(chart_record_done) struct chart_record gone = {0};
    AUTO(buf_done) struct buf kept = {0};
    AUTO(err_done) struct err bad = {0}, both = {0};

    if (chart_uninstall(&back, &options, &gone, &kept, &bad) < 0)
        err_set(&both, e->kind,
                "an error occurred while uninstalling the release. original install error: %s: %s",
                err_text(e), err_text(&bad));
    else
        err_set(&both, e->kind,
                "release %.*s failed, and has been uninstalled due to rollback-on-failure being "
                "set: %s",
                STR_ARG(op->name), err_text(e));
    err_done(e);
    err_move(e, &both);
    return -1;
}

int chart_install(const struct chart_operation *given, struct chart_record *ret, struct err *e)
{
    struct chart_operation op = *given;
    bool stored = false;
    int rc;

    if (op.rolls_back && op.wait == CHART_WAIT_HOOKS)
        op.wait = CHART_WAIT_WATCHER;
    if (chart_check_release_name(op.name, e) < 0)
        return -1;
    if (op.dry_run == CHART_DRY_CLIENT)
        return install_without_cluster(&op, ret, e);
    rc = install(&op, ret, &stored, e);
    return rc < 0 && stored && op.rolls_back ? undo(&op, e) : rc;
}
