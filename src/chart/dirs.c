/* Helm's files and folders. */
#include "chart/locate.h"
#include "sys/env.h"

/* The value of a variable, or base/rest. */
static void add_path(const char *variable, const char *base, const char *rest, struct buf *ret)
{
    const char *value = env_get(variable);

    if (value && value[0])
        buf_add_cstr(ret, value);
    else
        buf_addf(ret, "%s/%s", base, rest);
}

/* $HELM_X_HOME, $XDG_X_HOME/helm or ~/FALLBACK/helm. */
static void add_home(const char *variable, const char *xdg, const char *fallback, struct buf *ret)
{
    const char *own = env_get(variable), *home = env_get("HOME");

    if (own && own[0]) {
        buf_add_cstr(ret, own);
    } else if (env_get(xdg) && env_get(xdg)[0]) {
        buf_addf(ret, "%s/helm", env_get(xdg));
    } else {
        buf_addf(ret, "%s/%s/helm", home ? home : "", fallback);
    }
}

void chart_dirs_read(struct chart_dirs *ret)
{
    const char *config, *cache;

    add_home("HELM_CONFIG_HOME", "XDG_CONFIG_HOME", ".config", &ret->config_home);
    add_home("HELM_CACHE_HOME", "XDG_CACHE_HOME", ".cache", &ret->cache_home);
    add_home("HELM_DATA_HOME", "XDG_DATA_HOME", ".local/share", &ret->data_home);
    config = buf_cstr(&ret->config_home);
    cache = buf_cstr(&ret->cache_home);
    add_path("HELM_REPOSITORY_CONFIG", config, "repositories.yaml", &ret->repository_config);
    add_path("HELM_REPOSITORY_CACHE", cache, "repository", &ret->repository_cache);
    add_path("HELM_CONTENT_CACHE", cache, "content", &ret->content_cache);
    add_path("HELM_REGISTRY_CONFIG", config, "registry/config.json", &ret->registry_config);
}

void chart_dirs_done(struct chart_dirs *dirs)
{
    buf_done(&dirs->config_home);
    buf_done(&dirs->cache_home);
    buf_done(&dirs->data_home);
    buf_done(&dirs->repository_config);
    buf_done(&dirs->repository_cache);
    buf_done(&dirs->content_cache);
    buf_done(&dirs->registry_config);
}
