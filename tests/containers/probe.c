/* What a function in a container may find out and try. MODE: who (its user and network as a
 * result), write (into the folder mounted at /in), hang (deaf to SIGTERM and to the end of its
 * input), flood. */
#include <dirent.h>
#include <grapnel/fn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many network interfaces there are beside the loopback. */
static int interfaces(void)
{
    DIR *dir = opendir("/sys/class/net");
    struct dirent *entry;
    int n = 0;

    while (dir && (entry = readdir(dir)))
        n += entry->d_name[0] != '.' && strcmp(entry->d_name, "lo") != 0;
    if (dir)
        closedir(dir);
    return n;
}

static int run(gfn_ctx *ctx)
{
    const char *mode = getenv("MODE");
    gfn_iter it = gfn_items(ctx);

    if (mode && strcmp(mode, "write") == 0) {
        FILE *f = fopen("/in/new", "w");

        return f && fclose(f) == 0 ? 0 : gfn_fail(ctx, "cannot write");
    }
    while (mode && strcmp(mode, "who") == 0 && gfn_next(&it))
        gfn_result(ctx, GFN_INFO, it.node, "", "user %d, %d interfaces", (int)getuid(),
                   interfaces());
    return 0;
}

int main(int argc, char **argv)
{
    static const gfn_desc desc = {.name = "probe", .summary = "tells where it runs", .run = run};
    const char *mode = getenv("MODE");

    signal(SIGTERM, SIG_IGN);
    while (mode && strcmp(mode, "hang") == 0)
        pause();
    while (mode && strcmp(mode, "flood") == 0)
        puts("more and more and more and more and more and more and more and more and more");
    return gfn_main(argc, argv, &desc);
}
