/* grapnel version */
#include <sys/utsname.h>

#include "cli/go_template.h"
#include "cli/help.h"
#include "cli/output.h"
#include "kustomize/build.h"

#ifndef GRAPNEL_COMMIT
#define GRAPNEL_COMMIT "unknown"
#endif
#ifndef GRAPNEL_DATE
#define GRAPNEL_DATE "unknown"
#endif

#define HELM_VERSION "v4.3.1"

const char cli_commit_date[] = GRAPNEL_DATE;

static const struct cli_flag flags[] = {
    {"short", CLI_SWITCH, "",
     "only the version; as helm, that of the helm whose charts and "
     "releases are understood",
     0, "", "", false},
    {"stack-trace", CLI_SWITCH, "", "accepted", 0, "", "", false},
    {"output", CLI_CHOICE, "FORMAT", "how to print the result", 'o', "text json", "text", false},
    {.name = ""},
};
static const struct cli_flag helm_flags[] = {
    {"template", CLI_TEXT, "TEXT", "as helm: Go template of .Version and its like", 0, "", "",
     false},
    {.name = ""},
};
static const struct cli_flag *const flag_tables[] = {flags, helm_flags, NULL};

/* What helm's build of the level that we keep to says of itself. */
static int run_as_helm(const struct cli *cli, struct err *e)
{
    static const char *const members[][2] = {{"Version", HELM_VERSION},
                                             {"GitCommit", ""},
                                             {"GitTreeState", ""},
                                             {"GoVersion", "go1.26.8"},
                                             {"KubeClientVersion", "v1.37"}};
    AUTO(buf_done) struct buf out = {0};
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    struct doc_node *dot = doc_new_map(set);

    for (size_t i = 0; i < ARRAY_LEN(members); i++) {
        doc_set_string(set, dot, str_of(members[i][0]), str_of(members[i][1]));
        buf_addf(&out, "%s%s:\"%s\"", i ? ", " : "version.BuildInfo{", members[i][0],
                 members[i][1]);
    }
    buf_add_cstr(&out, "}\n");
    if (cli_text(cli, "template").len) {
        buf_clear(&out);
        if (cli_go_template(cli_text(cli, "template"), dot, &out, e) < 0)
            return -1;
    } else if (cli_switch(cli, "short")) {
        buf_clear(&out);
        buf_add_cstr(&out, HELM_VERSION "\n");
    }
    return cli_print_raw(buf_view(&out), e);
}

static int run(struct cli *cli, struct err *e)
{
    AUTO(buf_done) struct buf out = {0};
    struct utsname host = {0};

    if (cli->name == CLI_KUSTOMIZE) /* other tools parse it */
        return cli_print_raw(STR(KUSTOMIZE_VERSION "\n"), e);
    if (cli->name == CLI_HELM)
        return run_as_helm(cli, e);
    if (cli_switch(cli, "short")) {
        buf_addf(&out, "%s\n", GRAPNEL_VERSION);
        return cli_print_raw(buf_view(&out), e);
    }
    uname(&host);
    if (str_eq(cli_text(cli, "output"), STR("json")))
        buf_addf(
            &out,
            "{\"version\":\"%s\",\"commit\":\"%s\",\"date\":\"%s\",\"platform\":\"linux/%s\"}\n",
            GRAPNEL_VERSION, GRAPNEL_COMMIT, GRAPNEL_DATE, host.machine);
    else
        buf_addf(&out, "grapnel %s\ncommit: %s\ndate: %s\nplatform: linux/%s\n", GRAPNEL_VERSION,
                 GRAPNEL_COMMIT, GRAPNEL_DATE, host.machine);
    return cli_print_raw(buf_view(&out), e);
}

const struct cli_command cli_version = {
    .name = "version",
    .names = CLI_GRAPNEL | CLI_KHOOK | CLI_KPT | CLI_KUSTOMIZE | CLI_HELM,
    .summary = "Print version, commit, build date and platform",
    .arguments = "",
    .about = "Prints the program's version, the commit it was built from, that commit's date and "
             "the platform.",
    .flags = flag_tables,
    .max_arguments = 0,
    .run = run,
};
