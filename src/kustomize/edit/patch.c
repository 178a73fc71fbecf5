/* patches. */
#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/parts.h"

struct member {
    str name, value;
};
enum { TARGET_MEMBERS = 7 };

static void target_of(const struct kustomize_edit_args *args, struct member *ret)
{
    const struct member members[TARGET_MEMBERS] = {
        {STR("group"), args->group},
        {STR("version"), args->version},
        {STR("kind"), args->kind},
        {STR("name"), args->name},
        {STR("namespace"), args->ns},
        {STR("labelSelector"), args->label_selector},
        {STR("annotationSelector"), args->annotation_selector},
    };

    memcpy(ret, members, sizeof(members));
}

static bool is_same(const struct doc_node *entry, const struct kustomize_edit_args *args)
{
    const struct doc_node *target = kustomize_edit_field(entry, STR("target"));
    struct member members[TARGET_MEMBERS];

    if (!str_eq(kustomize_edit_string(entry, STR("path")), args->path) ||
        !str_eq(kustomize_edit_string(entry, STR("patch")), args->patch) ||
        kustomize_edit_field(entry, STR("options")))
        return false;
    target_of(args, members);
    for (size_t i = 0; i < TARGET_MEMBERS; i++)
        if (!str_eq(kustomize_edit_string(target, members[i].name), members[i].value))
            return false;
    return true;
}

static struct doc_node *find(struct doc_node *list, const struct kustomize_edit_args *args)
{
    struct doc_iter it = doc_children(list);

    while (doc_next(&it))
        if (is_same(it.value, args))
            return it.value;
    return NULL;
}

static void append(struct kustomize_edit *edit, struct doc_node *list,
                   const struct kustomize_edit_args *args)
{
    struct doc_node *entry = doc_append(list, doc_new_map(edit->set));
    struct doc_node *target = doc_new_map(edit->set);
    struct member members[TARGET_MEMBERS];

    kustomize_edit_text(edit, entry, STR("path"), args->path);
    kustomize_edit_text(edit, entry, STR("patch"), args->patch);
    target_of(args, members);
    for (size_t i = 0; i < TARGET_MEMBERS; i++)
        kustomize_edit_text(edit, target, members[i].name, members[i].value);
    if (doc_len(target))
        doc_set_field(edit->set, entry, STR("target"), target);
}

int kustomize_edit_add_patch(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                             struct err *e)
{
    struct doc_node *list;

    if (args->path.len && args->patch.len)
        return err_set(e, ERR_USAGE, "patch and path can't be set at the same time");
    if (!args->path.len && !args->patch.len)
        return err_set(e, ERR_USAGE, "must provide either patch or path");
    list = kustomize_edit_list(edit, edit->root, STR("patches"), e);
    if (!list)
        return -1;
    if (find(list, args))
        kustomize_edit_note(edit, "the same patch already in kustomization file");
    else
        append(edit, list, args);
    return 0;
}

int kustomize_edit_remove_patch(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                                struct err *e)
{
    struct doc_node *list = kustomize_edit_field(edit->root, STR("patches"));
    struct doc_node *entry = find(list, args);

    (void)e;
    if (!entry)
        kustomize_edit_note(edit, "no such patch in kustomization file");
    else
        doc_remove_item(list, entry);
    kustomize_edit_drop_empty(edit->root, STR("patches"));
    return 0;
}
