#include "sys/dl.h"

#include <dlfcn.h>

static int resolve(struct dl_library *lib, void *handle, struct err *e)
{
    const char *name = lib->names;

    for (size_t i = 0; i < lib->count; i++, name += strlen(name) + 1) {
        void *address = dlsym(handle, name);

        if (!address)
            return err_set(e, ERR_UNSUPPORTED,
                           "%s has no function %s: install a newer version of the package %s",
                           lib->soname, name, lib->package);
        memcpy((char *)lib->table + i * sizeof(address), &address, sizeof(address));
    }
    return 0;
}

static int load_locked(struct dl_library *lib, struct err *e)
{
    void *handle;
    int rc;

    if (atomic_load_explicit(&lib->is_loaded, memory_order_relaxed))
        return 0;
    handle = dlopen(lib->soname, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return err_set(e, ERR_UNSUPPORTED, "this needs the library %s: install the package %s (%s)",
                       lib->soname, lib->package, dlerror());
    rc = resolve(lib, handle, e);
    if (rc < 0)
        dlclose(handle);
    else
        atomic_store_explicit(&lib->is_loaded, true, memory_order_release);
    return rc;
}

int dl_load(struct dl_library *lib, struct err *e)
{
    int rc;

    if (LIKELY(atomic_load_explicit(&lib->is_loaded, memory_order_acquire)))
        return 0;
    pthread_mutex_lock(&lib->lock);
    rc = load_locked(lib, e);
    pthread_mutex_unlock(&lib->lock);
    return rc;
}
