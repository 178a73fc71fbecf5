#include "fn/container.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/log.h"
#include "sys/env.h"
#include "sys/proc.h"
#include "sys/random.h"

enum { REMOVE_MS = 20000 };

static const char programs[][8] = {"docker", "podman", "nerdctl"};

/* ---- names */

static bool is_one_of(char c, const char *set) { return c && strchr(set, c); }

static bool is_word(str s, const char *inner)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

        if (!is_plain && (i == 0 || i + 1 == s.len || !is_one_of(c, inner)))
            return false;
    }
    return s.len > 0;
}

static bool is_all_of(str s, bool (*is_one)(char c))
{
    for (size_t i = 0; i < s.len; i++)
        if (!is_one(s.p[i]))
            return false;
    return s.len > 0;
}

static bool is_hex(char c) { return ascii_is_digit(c) || (c >= 'a' && c <= 'f'); }
static bool is_tag_char(char c) { return ascii_is_alnum(c) || is_one_of(c, "_.-"); }
static bool is_host_char(char c) { return ascii_is_alnum(c) || is_one_of(c, ".-"); }

static bool is_host(str part)
{
    str port, name = str_cut(part, ':', &port);

    return is_all_of(name, is_host_char) && (!port.p || is_all_of(port, ascii_is_digit));
}

static bool is_path(str path)
{
    str first = str_cut(path, '/', NULL);
    bool has_host =
        first.len < path.len && (str_find_char(first, '.') >= 0 || str_find_char(first, ':') >= 0 ||
                                 str_eq(first, STR("localhost")));

    if (has_host) {
        if (!is_host(first))
            return false;
        path = str_from(path, first.len + 1);
    }
    while (path.p)
        if (!is_word(str_cut(path, '/', &path), "._-"))
            return false;
    return true;
}

bool fn_is_image(str image)
{
    str digest, name = str_cut(image, '@', &digest);
    ssize_t colon = str_rfind_char(name, ':');

    if (digest.p && (!str_drop_prefix(&digest, STR("sha256:")) || digest.len != 64 ||
                     !is_all_of(digest, is_hex)))
        return false;
    if (colon >= 0 && str_find_char(str_from(name, (size_t)colon), '/') < 0) {
        str tag = str_from(name, (size_t)colon + 1);

        name = str_sub(name, 0, (size_t)colon);
        if (tag.len > 128 || !is_all_of(tag, is_tag_char) || is_one_of(tag.p[0], ".-"))
            return false;
    }
    return name.len > 0 && name.len < 256 && is_path(name);
}

str fn_image_name(struct arena *a, str image)
{
    if (str_find_char(image, '/') >= 0)
        return image;
    return arena_printf(a, "ghcr.io/kptdev/krm-functions-catalog/%.*s", STR_ARG(image));
}

/* ---- the program */

/* Where a program is on our PATH; the empty text when it is not. */
static str path_of(struct arena *a, const char *program)
{
    str rest = str_of(env_get("PATH"));

    while (rest.len) {
        str folder = str_cut(rest, ':', &rest), path;

        if (!folder.len)
            continue;
        path = arena_printf(a, "%.*s/%s", STR_ARG(folder), program);
        if (access(path.p, X_OK) == 0)
            return path;
    }
    return STR_NONE;
}

static int find_wanted(struct arena *a, const char *wanted, str *ret, struct err *e)
{
    for (size_t i = 0; i < ARRAY_LEN(programs); i++) {
        if (strcmp(programs[i], wanted) != 0)
            continue;
        *ret = path_of(a, wanted);
        return ret->len ? 0 : err_set(e, ERR_NOT_FOUND, "found no %s in PATH", wanted);
    }
    return err_set(e, ERR_INVALID, "container runtime \"%s\" is none of docker, podman, nerdctl",
                   wanted);
}

int fn_container_program(struct arena *a, str *ret, struct err *e)
{
    const char *wanted = env_get("GRAPNEL_FN_RUNTIME");

    if (!wanted || !*wanted)
        wanted = env_get("KPT_FN_RUNTIME");
    if (wanted && *wanted)
        return find_wanted(a, wanted, ret, e);
    *ret = STR_NONE;
    for (size_t i = 0; i < ARRAY_LEN(programs) && !ret->len; i++)
        *ret = path_of(a, programs[i]);
    return ret->len ? 0
                    : err_set(e, ERR_NOT_FOUND,
                              "found none of docker, podman, nerdctl in PATH: install one; native "
                              "functions (grapnel fn list) need none");
}

/* ---- the command line */

static void add(struct str_vec *v, const char *word) { vec_push(v, str_of(word)); }

/* A relative source is below the folder; container programs want it whole. */
static str source_of(struct arena *a, const struct fn_mount *m, const char *dir)
{
    char *root;
    str source = m->source;

    if (!str_eq(m->type, STR("bind")) || !source.len || source.p[0] == '/')
        return source;
    root = realpath(dir ? dir : ".", NULL);
    if (root)
        source = arena_printf(a, "%s/%.*s", root, STR_ARG(source));
    free(root);
    return source;
}

static void add_mount(struct arena *a, struct str_vec *v, const struct fn_mount *m, const char *dir)
{
    str source = source_of(a, m, dir), text = arena_printf(a, "type=%.*s", STR_ARG(m->type));

    if (source.len)
        text = arena_printf(a, "%.*s,source=%.*s", STR_ARG(text), STR_ARG(source));
    text = arena_printf(a, "%.*s,target=%.*s%s", STR_ARG(text), STR_ARG(m->target),
                        m->is_writable ? "" : ",readonly");
    add(v, "--mount");
    vec_push(v, text);
}

static const char *network_of(const struct fn_runner *r, const struct fn_spec *spec)
{
    if (!r->allows_network || !spec->wants_network)
        return "none";
    return r->network_name ? r->network_name : "host";
}

static void add_env(struct str_vec *v, str env)
{
    add(v, "-e");
    vec_push(v, env);
}

/* Of this process and this moment: an engine refuses a name that is taken. */
static str new_name(struct arena *a)
{
    AUTO(buf_done) struct buf suffix = {0};

    random_suffix(10, &suffix);
    return arena_printf(a, "grapnel-fn-%s", buf_cstr(&suffix));
}

int fn_container_argv(struct arena *a, const struct fn_runner *r, const struct fn_spec *spec,
                      const char *dir, struct str_vec *ret, str *name, struct err *e)
{
    static const char pulls[][8] = {
        [FN_PULL_MISSING] = "missing", [FN_PULL_ALWAYS] = "always", [FN_PULL_NEVER] = "never"};
    str image = fn_image_name(a, spec->image), user = STR("nobody"), program;

    if (!fn_is_image(image))
        return err_set(e, ERR_INVALID, "function name \"%.*s\" is invalid", STR_ARG(spec->image));
    if (fn_container_program(a, &program, e) < 0)
        return -1;
    if (r->as_current_user)
        user = arena_printf(a, "%u:%u", (unsigned)getuid(), (unsigned)getgid());
    vec_push(ret, program);
    add(ret, "run");
    add(ret, "--rm");
    add(ret, "-i");
    add(ret, "--name");
    *name = new_name(a);
    vec_push(ret, *name);
    add(ret, "--network");
    add(ret, network_of(r, spec));
    add(ret, "--user");
    vec_push(ret, user);
    add(ret, "--security-opt=no-new-privileges");
    add(ret, "--pull");
    add(ret, pulls[r->pull]);
    for (size_t i = 0; i < r->mount_count; i++)
        add_mount(a, ret, &r->mounts[i], dir);
    for (size_t i = 0; i < spec->mounts.len; i++)
        add_mount(a, ret, &spec->mounts.v[i], dir);
    if (r->logs_to_stderr) {
        add_env(ret, STR("LOG_TO_STDERR=true"));
        add_env(ret, STR("STRUCTURED_RESULTS=true"));
    }
    for (size_t i = 0; r->envs && i < r->envs->len; i++)
        add_env(ret, r->envs->v[i]);
    for (size_t i = 0; i < spec->envs.len; i++)
        add_env(ret, spec->envs.v[i]);
    vec_push(ret, arena_dup(a, image));
    return 0;
}

void fn_container_remove(struct arena *a, str program, str name)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(err_done) struct err ignored = {0}; /* it may be gone */
    AUTO(cancel_free) struct cancel *cancel = cancel_new(NULL, clock_after(REMOVE_MS));
    const char *argv[] = {arena_cstr(a, program), "rm", "--force", arena_cstr(a, name), NULL};

    if (proc_run(&(struct proc_spec){.argv = argv, .cancel = cancel}, &result, &ignored) < 0)
        log_warn("a container was not removed", LOG_STR("container", name),
                 LOG_STR("error", str_of(err_text(&ignored))));
}

/* ---- what it says while pulling */

static bool is_layer_line(str line)
{
    static const char states[][11] = {"Pulling", "Waiting", "Verifying", "Download",
                                      "Pull",    "Already", "Extracting"};
    str rest, id = str_cut(line, ':', &rest);

    rest = str_trim(rest);
    for (size_t i = 0; i < ARRAY_LEN(states); i++)
        if (str_starts(rest, str_of(states[i])))
            return id.len == 12 ? is_all_of(id, is_hex) : str_starts(rest, STR("Pulling from "));
    return false;
}

static bool is_pull_line(str line)
{
    static const char starts[][22] = {
        "Unable to find image ", "Digest: sha256:",    "Status: Downloaded ", "Status: Image is up",
        "Trying to pull ",       "Getting image ",     "Copying blob ",       "Copying config ",
        "Writing manifest ",     "Storing signatures",
    };

    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (str_starts(line, str_of(starts[i])))
            return true;
    return is_layer_line(line);
}

str fn_without_pull_lines(str err)
{
    str rest = err, line;

    while (str_next_line(&rest, &line)) {
        if (!is_pull_line(line))
            return err;
        err = rest;
    }
    return err;
}
