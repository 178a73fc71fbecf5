/* grapnel edit set|add|remove WHAT */
#include "base/diag.h"
#include "base/words.h"
#include "cli/kustomize/edit_notes.h"
#include "kustomize/edit/edit.h"

#define TEXT(name, value, help)                       \
    {                                                 \
        name, CLI_TEXT, value, help, 0, "", "", false \
    }
#define SWITCH(name, help, letter)                        \
    {                                                     \
        name, CLI_SWITCH, "", help, letter, "", "", false \
    }
#define LIST(name, value, help)                       \
    {                                                 \
        name, CLI_LIST, value, help, 0, "", "", false \
    }

static const struct cli_flag set_flags[] = {
    LIST("from-literal", "KEY=VALUE", "configmap, secret: the new value of a key that is there"),
    TEXT("namespace", "NAMESPACE", "configmap, secret: where it is; none is \"default\""),
    TEXT("new-namespace", "NAMESPACE", "configmap, secret: where it is to be"),
    SWITCH("stack-trace", "accepted", 0),
    {.name = ""},
};

static const struct cli_flag patch_flags[] = {
    TEXT("path", "FILE", "patch: its file"),
    TEXT("patch", "TEXT", "patch: its text, in place of a file"),
    TEXT("group", "GROUP", "patch: API group of what it is for"),
    TEXT("version", "VERSION", "patch: API version of what it is for"),
    TEXT("kind", "KIND", "patch: kind of what it is for"),
    TEXT("name", "NAME", "patch: name of what it is for"),
    TEXT("namespace", "NAMESPACE",
         "patch: namespace of what it is for; configmap, secret: their "
         "own"),
    TEXT("label-selector", "SELECTOR", "patch: labels of what it is for"),
    TEXT("annotation-selector", "SELECTOR", "patch: annotations of what it is for"),
    SWITCH("stack-trace", "accepted", 0),
    {.name = ""},
};

static const struct cli_flag add_flags[] = {
    LIST("from-literal", "KEY=VALUE", "configmap, secret: a key and its value"),
    LIST("from-file", "[KEY=]FILE", "configmap, secret: a file, or a pattern; the key is its name"),
    TEXT("from-env-file", "FILE", "configmap, secret: a file of lines KEY=VALUE"),
    TEXT("behavior", "BEHAVIOR", "configmap: create, merge or replace"),
    TEXT("type", "TYPE", "secret: its type; Opaque when it is new"),
    SWITCH("disableNameSuffixHash", "configmap, secret: no hash behind the name", 0),
    SWITCH("force", "label, annotation: override what is there", 'f'),
    SWITCH("without-selector", "label: not in selectors", 0),
    SWITCH("include-templates", "label: in templates too; with --without-selector", 0),
    SWITCH("no-verify", "resource: it need not exist", 0),
    {.name = ""},
};

static const struct cli_flag remove_flags[] = {
    SWITCH("ignore-non-existence", "label, annotation: one that is not there is no error", 'i'),
    {.name = ""},
};

static const struct kustomize_edit_row *find_row(const struct kustomize_edit_row *rows, str what)
{
    for (; rows->verb; rows++)
        if (str_eq(str_of(rows->what), what))
            return rows;
    return NULL;
}

static int unknown(const struct kustomize_edit_row *rows, str what, struct err *e)
{
    AUTO(str_vec_done) struct str_vec words = {0};
    AUTO(buf_done) struct buf list = {0};
    const char *verb = rows->verb;
    str nearest;

    for (; rows->verb; rows++) {
        vec_push(&words, str_of(rows->what));
        buf_addf(&list, "%s%s", list.len ? ", " : "", rows->what);
    }
    nearest = diag_nearest(what, words.v, words.len);
    if (!what.len)
        return err_set(e, ERR_USAGE, "name what to %s: %s", verb, buf_cstr(&list));
    if (nearest.len)
        return err_set(e, ERR_USAGE, "edit %s has no \"%.*s\"; did you mean \"%.*s\"?", verb,
                       STR_ARG(what), STR_ARG(nearest));
    return err_set(e, ERR_USAGE, "edit %s has no \"%.*s\"; it has %s", verb, STR_ARG(what),
                   buf_cstr(&list));
}

/* A flag of another WHAT is a mistake, not a wish to be passed over. */
static int check_flags(const struct cli *cli, const struct kustomize_edit_row *row, struct err *e)
{
    for (size_t i = 0; i < cli->values.len; i++) {
        str name = str_of(cli->values.v[i].flag->name);

        if (!words_have(str_of(row->flags), ' ', name) &&
            !words_have(STR("log-level log-format stack-trace"), ' ', name))
            return err_set(e, ERR_USAGE, "\"--%.*s\" is no flag of \"edit %s %s\"", STR_ARG(name),
                           row->verb, row->what);
    }
    return 0;
}

static str text(const struct cli *cli, const struct kustomize_edit_row *row, const char *flag)
{
    return words_have(str_of(row->flags), ' ', str_of(flag)) ? cli_text(cli, flag) : STR_NONE;
}

static bool is_on(const struct cli *cli, const struct kustomize_edit_row *row, const char *flag)
{
    return words_have(str_of(row->flags), ' ', str_of(flag)) && cli_switch(cli, flag);
}

static void read_args(const struct cli *cli, const struct kustomize_edit_row *row,
                      struct kustomize_edit_args *ret)
{
    for (size_t i = 1; i < cli->arguments.len; i++)
        vec_push(&ret->names, cli->arguments.v[i]);
    cli_list(cli, "from-literal", &ret->literals);
    cli_list(cli, "from-file", &ret->files);
    ret->env_file = text(cli, row, "from-env-file");
    ret->ns = text(cli, row, "namespace");
    ret->new_ns = text(cli, row, "new-namespace");
    ret->behavior = text(cli, row, "behavior");
    ret->type = text(cli, row, "type");
    ret->path = text(cli, row, "path");
    ret->patch = text(cli, row, "patch");
    ret->group = text(cli, row, "group");
    ret->version = text(cli, row, "version");
    ret->kind = text(cli, row, "kind");
    ret->name = text(cli, row, "name");
    ret->label_selector = text(cli, row, "label-selector");
    ret->annotation_selector = text(cli, row, "annotation-selector");
    ret->has_name_suffix_off = is_on(cli, row, "disableNameSuffixHash");
    ret->is_forced = is_on(cli, row, "force");
    ret->without_selector = is_on(cli, row, "without-selector");
    ret->include_templates = is_on(cli, row, "include-templates");
    ret->ignores_missing = is_on(cli, row, "ignore-non-existence");
    ret->no_verify = is_on(cli, row, "no-verify");
}

static int change(struct cli *cli, const struct kustomize_edit_row *row, struct err *e)
{
    AUTO(kustomize_edit_done) struct kustomize_edit edit = {0};
    struct kustomize_edit_args args = {0};
    int rc = kustomize_edit_open(&edit, e);

    if (rc == 0) {
        read_args(cli, row, &args);
        rc = row->run(&edit, &args, e);
    }
    vec_done(&args.names);
    vec_done(&args.literals);
    vec_done(&args.files);
    cli_print_notes(buf_view(&edit.notes));
    return rc < 0 ? -1 : kustomize_edit_save(&edit, e);
}

static int run_rows(struct cli *cli, const struct kustomize_edit_row *rows, struct err *e)
{
    str what = cli->arguments.len ? cli->arguments.v[0] : STR_NONE;
    const struct kustomize_edit_row *row = find_row(rows, what);

    if (!row)
        return unknown(rows, what, e);
    return check_flags(cli, row, e) < 0 ? -1 : change(cli, row, e);
}

static int run_set(struct cli *cli, struct err *e) { return run_rows(cli, kustomize_edit_set, e); }

static int run_add(struct cli *cli, struct err *e) { return run_rows(cli, kustomize_edit_add, e); }

static int run_remove(struct cli *cli, struct err *e)
{
    return run_rows(cli, kustomize_edit_remove, e);
}

static const struct cli_flag *const set_tables[] = {set_flags, NULL};
static const struct cli_flag *const add_tables[] = {add_flags, patch_flags, NULL};
static const struct cli_flag *const remove_tables[] = {remove_flags, patch_flags, NULL};

#define IN_PLACE                                                                              \
    " The kustomization file of the current folder is changed in place: comments, order and " \
    "formatting of what is not changed stay."

const struct cli_command cli_edit_set = {
    .name = "edit set",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Set values in a kustomization file",
    .arguments = "WHAT [VALUE ...]",
    .about =
        "Sets a value. WHAT is one of: image [NAME=]NEWNAME[:TAG][@DIGEST] ... (NAME=:TAG and "
        "NAME=@DIGEST leave the name out, * keeps a part), namespace NAMESPACE, nameprefix "
        "PREFIX, namesuffix -- SUFFIX, label KEY:VALUE ..., annotation KEY:VALUE ..., replicas "
        "NAME=COUNT ..., buildmetadata OPTION[,OPTION...], configmap NAME, secret NAME." IN_PLACE,
    .flags = set_tables,
    .examples = "$ grapnel edit set image nginx=registry.example.com/nginx:1.27\n"
                "$ grapnel edit set namesuffix -- -green\n"
                "$ grapnel edit set configmap settings --from-literal level=debug\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_set,
};

const struct cli_command cli_edit_add = {
    .name = "edit add",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Add entries to a kustomization file",
    .arguments = "WHAT [VALUE ...]",
    .about =
        "Adds an entry; one that is there already is a warning, and nothing changes. WHAT is one "
        "of: resource PATH|URL ..., component PATH ..., base PATH[,PATH...], patch, configmap "
        "NAME, secret NAME, label KEY:VALUE ..., annotation KEY:VALUE ..., generator PATH ..., "
        "transformer PATH ..., configuration PATH ..., buildmetadata OPTION[,OPTION...]. Paths "
        "may be patterns with * ? [ ]." IN_PLACE,
    .flags = add_tables,
    .examples = "$ grapnel edit add resource '*.yaml' ../base\n"
                "$ grapnel edit add patch --path replicas.yaml --kind Deployment --name web\n"
                "$ grapnel edit add label --without-selector team:shop\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_add,
};

const struct cli_command cli_edit_remove = {
    .name = "edit remove",
    .names = CLI_GRAPNEL | CLI_KUSTOMIZE,
    .summary = "Remove entries from a kustomization file",
    .arguments = "WHAT [VALUE ...]",
    .about =
        "Removes entries. WHAT is one of: resource PATTERN ..., component PATTERN ..., patch (its "
        "flags must say all that the entry says), configmap NAME[,NAME...], secret NAME[,NAME...], "
        "label KEY[,KEY...], annotation KEY[,KEY...], transformer PATTERN ..., buildmetadata "
        "OPTION[,OPTION...]. A field that becomes empty goes too." IN_PLACE,
    .flags = remove_tables,
    .examples = "$ grapnel edit remove resource 'old-*.yaml'\n"
                "$ grapnel edit remove label -i team,app\n",
    .max_arguments = -1,
    .fails_with_one = true,
    .run = run_remove,
};
