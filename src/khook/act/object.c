#include "khook/act/object.h"

enum { IDS_SHOWN = 3 };

void khook_objects_init(struct khook_objects *o)
{
    *o = (struct khook_objects){.set = doc_set_new()};
}

void khook_objects_done(struct khook_objects *o)
{
    vec_done(&o->list);
    doc_set_free(o->set);
    *o = (struct khook_objects){0};
}

void khook_object_id(str kind, str name, str ns, struct buf *out)
{
    for (size_t i = 0; i < kind.len; i++)
        buf_add_char(out,
                     kind.p[i] >= 'A' && kind.p[i] <= 'Z' ? (char)(kind.p[i] + 32) : kind.p[i]);
    buf_addf(out, "/%.*s", STR_ARG(name));
    if (ns.len)
        buf_addf(out, "@%.*s", STR_ARG(ns));
}

void khook_ids_add(struct khook_ids *ids, str kind, str name, str ns)
{
    if (++ids->count > IDS_SHOWN)
        return;
    if (ids->count > 1)
        buf_add_cstr(&ids->text, ", ");
    khook_object_id(kind, name, ns, &ids->text);
}

void khook_ids_end(struct khook_ids *ids)
{
    if (ids->count > IDS_SHOWN)
        buf_addf(&ids->text, ", +%zu more", ids->count - IDS_SHOWN);
}

void khook_ids_done(struct khook_ids *ids) { buf_done(&ids->text); }
