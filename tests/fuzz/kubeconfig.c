/* Input: kubeconfig files, divided by NUL: what KUBECONFIG would list. Files that the texts name
 * are looked for in a folder that is not there. Every failure says why, and what is accepted has a
 * server. */
#include "base/log.h"
#include "kube/config_load_priv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void drop(void *ctx, enum log_level level, str line)
{
    (void)ctx;
    (void)level;
    (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(kubeconfig_done) struct kubeconfig k = {0};
    AUTO(err_done) struct err e = {0};
    AUTO(kube_config_free) struct kube_config *c = NULL;
    str rest = {(const char *)data, size};

    log_set_sink(drop, NULL);
    while (rest.p) {
        str text = str_cut(rest, '\0', &rest);

        if (kubeconfig_add_text(&k, STR("/nowhere/config"), text, &e) < 0) {
            assert(e.text && e.text[0]);
            return 0;
        }
    }
    c = kube_config_of(&k, &(struct kube_config_flags){0}, &e);
    if (c)
        assert(kube_config_server(c).len);
    else
        assert(e.text && e.text[0]);
    secret_forget_all();
    return 0;
}
