/* edit set: one value, images, replicas, build metadata. */
#include "kustomize/edit/edit_priv.h"
#include "kustomize/edit/image.h"
#include "kustomize/edit/parts.h"

static int set_text(struct kustomize_edit *edit, const struct kustomize_edit_args *args, str field,
                    struct err *e)
{
    if (args->names.len != 1)
        return err_set(e, ERR_USAGE, "give exactly one value");
    kustomize_edit_text(edit, edit->root, field, args->names.v[0]);
    return 0;
}

static int set_namespace(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                         struct err *e)
{
    return set_text(edit, args, STR("namespace"), e);
}

static int set_prefix(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                      struct err *e)
{
    return set_text(edit, args, STR("namePrefix"), e);
}

static int set_suffix(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                      struct err *e)
{
    return set_text(edit, args, STR("nameSuffix"), e);
}

/* The entry of a list of maps by its name; the last one, as it counts. */
static struct doc_node *find_named(struct doc_node *list, str name)
{
    struct doc_iter it = doc_children(list);
    struct doc_node *found = NULL;

    while (doc_next(&it))
        if (str_eq(kustomize_edit_string(it.value, STR("name")), name))
            found = it.value;
    return found;
}

/* Upstream keeps these lists sorted by name, and images apply in order: a new entry goes where it
 * would stand there, if the list is sorted so far. */
static struct doc_node *insert_named(struct kustomize_edit *edit, struct doc_node *list, str name)
{
    struct doc_iter it = doc_children(list);
    struct doc_node *entry = doc_new_map(edit->set);
    size_t at = 0, index = SIZE_MAX;
    str before = STR("");

    while (doc_next(&it)) {
        str other = kustomize_edit_string(it.value, STR("name"));

        if (str_cmp(other, before) < 0)
            index = SIZE_MAX - 1;
        if (index == SIZE_MAX && str_cmp(other, name) > 0)
            index = at;
        before = other;
        at++;
    }
    doc_set_string(edit->set, entry, STR("name"), name);
    return index < at ? doc_insert(list, index, entry) : doc_append(list, entry);
}

static void set_image_part(struct kustomize_edit *edit, struct doc_node *entry, str field,
                           str value)
{
    if (!str_eq(value, STR("*")))
        kustomize_edit_text(edit, entry, field, value);
}

/* The list of images; the field's old name becomes the new one, since builds read only one list. */
static struct doc_node *images(struct kustomize_edit *edit, struct err *e)
{
    struct doc_node *old = kustomize_edit_field(edit->root, STR("imageTags"));

    if (old && !kustomize_edit_field(edit->root, STR("images")))
        doc_rename(edit->set, edit->root, old, STR("images"));
    return kustomize_edit_list(edit, edit->root, STR("images"), e);
}

static int set_images(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                      struct err *e)
{
    struct doc_node *list = images(edit, e);

    if (!list)
        return -1;
    if (!args->names.len)
        return err_set(e, ERR_USAGE, "no image specified");
    for (size_t i = 0; i < args->names.len; i++) {
        struct kustomize_edit_image image;
        struct doc_node *entry;

        if (kustomize_edit_image_parse(args->names.v[i], &image, e) < 0)
            return -1;
        entry = find_named(list, image.name);
        if (!entry)
            entry = insert_named(edit, list, image.name);
        set_image_part(edit, entry, STR("newName"), image.new_name);
        set_image_part(edit, entry, STR("newTag"), image.new_tag);
        set_image_part(edit, entry, STR("digest"), image.digest);
        kustomize_edit_drop(entry, STR("tagSuffix")); /* as upstream does */
    }
    return 0;
}

static int set_replicas(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        struct err *e)
{
    struct doc_node *list = kustomize_edit_list(edit, edit->root, STR("replicas"), e);

    if (!list)
        return -1;
    if (!args->names.len)
        return err_set(e, ERR_USAGE, "no replicas specified");
    for (size_t i = 0; i < args->names.len; i++) {
        str text, name = str_cut(args->names.v[i], '=', &text);
        struct doc_node *entry;
        int64_t count;

        if (!name.len || !str_to_int64(text, &count))
            return err_set(e, ERR_USAGE, "'%.*s' is no replica count: write NAME=COUNT",
                           STR_ARG(args->names.v[i]));
        entry = find_named(list, name);
        if (!entry)
            entry = insert_named(edit, list, name);
        doc_set_int(edit->set, entry, STR("count"), count);
    }
    return 0;
}

static int set_metadata(struct kustomize_edit *edit, const struct kustomize_edit_args *args,
                        struct err *e)
{
    AUTO(str_vec_done) struct str_vec options = {0};
    struct doc_node *list;

    if (kustomize_edit_metadata(args, &options, e) < 0)
        return -1;
    list = kustomize_edit_list(edit, edit->root, STR("buildMetadata"), e);
    if (!list)
        return -1;
    while (doc_len(list))
        doc_remove_item(list, doc_first(list));
    for (size_t i = 0; i < options.len; i++)
        kustomize_edit_append(edit, list, options.v[i]);
    return 0;
}

const struct kustomize_edit_row kustomize_edit_set[] = {
    {"set", "image", "[NAME=]NEWNAME[:TAG][@DIGEST] ...", "", set_images},
    {"set", "namespace", "NAMESPACE", "", set_namespace},
    {"set", "nameprefix", "PREFIX", "", set_prefix},
    {"set", "namesuffix", "-- SUFFIX", "", set_suffix},
    {"set", "label", "KEY:VALUE ...", "", kustomize_edit_set_labels},
    {"set", "annotation", "KEY:VALUE ...", "", kustomize_edit_set_annotations},
    {"set", "replicas", "NAME=COUNT ...", "", set_replicas},
    {"set", "buildmetadata", "OPTION[,OPTION...]", "", set_metadata},
    {"set", "configmap", "NAME", "from-literal namespace new-namespace",
     kustomize_edit_set_configmap},
    {"set", "secret", "NAME", "from-literal namespace new-namespace", kustomize_edit_set_secret},
    {0},
};
