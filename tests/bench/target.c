#include "bench/target.h"

#include "base/escape.h"
#include "base/mem.h"
#include "bench/input.h"
#include "doc/parse.h"

void target_done(struct target *t)
{
    mem_free(t->server);
    buf_done(&t->ca);
    buf_done(&t->cert);
    buf_done(&t->key);
}

static void credential(const struct doc_node *map, const char *data, const char *file,
                       struct buf *out)
{
    str text = doc_text(doc_get(map, str_of(data)), STR_NONE),
        path = doc_text(doc_get(map, str_of(file)), STR_NONE);

    if (text.len)
        unescape_base64(text, out);
    else if (path.len)
        input_read(path.p, out);
}

int target_read(const char *kubeconfig, struct target *ret, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    const struct doc_node *root, *cluster, *user;

    if (!input_read(kubeconfig, &text))
        return err_set(e, ERR_IO, "no kubeconfig");
    root = doc_parse(set, buf_view(&text), DOC_MANIFEST, kubeconfig, e);
    if (!root)
        return -1;
    cluster = doc_get_lit(doc_item(doc_get_lit(root, "clusters"), 0), "cluster");
    user = doc_get_lit(doc_item(doc_get_lit(root, "users"), 0), "user");
    credential(cluster, "certificate-authority-data", "certificate-authority", &ret->ca);
    credential(user, "client-certificate-data", "client-certificate", &ret->cert);
    credential(user, "client-key-data", "client-key", &ret->key);
    ret->server = str_printf("%.*s", STR_ARG(doc_text(doc_get_lit(cluster, "server"), STR_NONE)));
    return 0;
}
