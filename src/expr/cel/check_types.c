/* Types that fit each other, and type parameters (cel spec 4). */
#include "expr/cel/check_priv.h"

const struct cel_type cel_error_type = {.kind = T_ERROR};

const struct cel_type *cel_check_fresh(struct cel_checker *c)
{
    struct cel_type *t = ARENA_NEW(c->p->arena, struct cel_type);

    vec_push(&c->bound, NULL);
    *t = (struct cel_type){.kind = T_PARAM, .name = STR("T"), .fresh = (unsigned)c->bound.len};
    return t;
}

const struct cel_type *cel_check_resolve(const struct cel_checker *c, const struct cel_type *t)
{
    while (t->kind == T_PARAM && t->fresh && c->bound.v[t->fresh - 1])
        t = c->bound.v[t->fresh - 1];
    return t;
}

/* With everything that is known put in; what is not known is dyn when it is final. */
const struct cel_type *cel_check_substitute(struct cel_checker *c, const struct cel_type *t,
                                            bool is_final)
{
    struct cel_type *copy;

    t = cel_check_resolve(c, t);
    if (t->kind == T_PARAM)
        return is_final && t->fresh ? &cel_dyn : t;
    if (!t->of[0])
        return t;
    copy = ARENA_NEW(c->p->arena, struct cel_type);
    *copy = *t;
    for (size_t i = 0; i < ARRAY_LEN(t->of) && t->of[i]; i++)
        copy->of[i] = cel_check_substitute(c, t->of[i], is_final);
    return copy;
}

static bool occurs(const struct cel_checker *c, const struct cel_type *param,
                   const struct cel_type *in)
{
    in = cel_check_resolve(c, in);
    if (in == param || (in->kind == T_PARAM && in->fresh == param->fresh))
        return true;
    return (in->of[0] && occurs(c, param, in->of[0])) || (in->of[1] && occurs(c, param, in->of[1]));
}

static bool bind(struct cel_checker *c, const struct cel_type *param, const struct cel_type *t)
{
    if (t->kind == T_PARAM && t->fresh == param->fresh)
        return true;
    if (occurs(c, param, t))
        return false;
    c->bound.v[param->fresh - 1] = t;
    return true;
}

static bool takes_null(const struct cel_type *t)
{
    return t->kind == T_WRAPPER || t->kind == T_TIMESTAMP || t->kind == T_DURATION ||
           t->kind == T_OBJECT || t->kind == T_OPTIONAL;
}

/* Is it the same, or less specific? */
static bool takes_all_of(const struct cel_checker *c, const struct cel_type *a,
                         const struct cel_type *b)
{
    a = cel_check_resolve(c, a);
    b = cel_check_resolve(c, b);
    if (a->kind == T_DYN || a->kind == T_PARAM)
        return true;
    if (a->kind != b->kind || !str_eq(a->name, b->name))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(a->of) && a->kind != T_TYPE; i++)
        if (a->of[i] && b->of[i] && !takes_all_of(c, a->of[i], b->of[i]))
            return false;
    return true;
}

/* What a parameter is bound to already becomes the less specific of the two. */
static bool widen(struct cel_checker *c, const struct cel_type *param, const struct cel_type *bound,
                  const struct cel_type *from)
{
    if (!cel_check_fits(c, bound, from))
        return false;
    if (takes_all_of(c, from, bound) && !occurs(c, param, from))
        c->bound.v[param->fresh - 1] = from;
    return true;
}

/* Of one kind: by name, and by what they are of. */
static bool fits_inside(struct cel_checker *c, const struct cel_type *to,
                        const struct cel_type *from)
{
    if (to->kind != from->kind)
        return false;
    if ((to->kind == T_OBJECT || to->kind == T_PARAM) && !str_eq(to->name, from->name))
        return false;
    if (to->kind == T_TYPE)
        return true;
    for (size_t i = 0; i < ARRAY_LEN(to->of); i++)
        if (to->of[i] && from->of[i] && !cel_check_fits(c, to->of[i], from->of[i]))
            return false;
    return true;
}

static bool is_any(const struct cel_type *t) { return t->kind == T_DYN || t->kind == T_ERROR; }

/* Does a value of type `from` go where `to` is wanted? */
bool cel_check_fits(struct cel_checker *c, const struct cel_type *to, const struct cel_type *from)
{
    const struct cel_type *param = to->kind == T_PARAM && to->fresh ? to : NULL;

    to = cel_check_resolve(c, to);
    from = cel_check_resolve(c, from);
    if (to == from)
        return true;
    if (param && to != param)
        return widen(c, param, to, from);
    if (to->kind == T_PARAM && to->fresh)
        return bind(c, to, from);
    if (from->kind == T_PARAM && from->fresh)
        return bind(c, from, to);
    if (is_any(to) || is_any(from))
        return true;
    if ((from->kind == T_NULL && takes_null(to)) || (to->kind == T_NULL && takes_null(from)))
        return true;
    if (to->kind == T_WRAPPER)
        return cel_check_fits(c, to->of[0], from->kind == T_WRAPPER ? from->of[0] : from);
    if (from->kind == T_WRAPPER)
        return cel_check_fits(c, to, from->of[0]);
    return fits_inside(c, to, from);
}

/* The same, leaving no trace when it does not. */
bool cel_check_try_fits(struct cel_checker *c, const struct cel_type *to,
                        const struct cel_type *from)
{
    size_t len = c->bound.len;
    const struct cel_type **saved = ARENA_ARRAY(c->p->arena, const struct cel_type *, len);

    if (len)
        memcpy(saved, c->bound.v, len * sizeof(*saved));
    if (cel_check_fits(c, to, from))
        return true;
    if (len)
        memcpy(c->bound.v, saved, len * sizeof(*saved));
    return false;
}

const struct cel_type *cel_check_instantiate(struct cel_checker *c, struct cel_instance *in,
                                             const struct cel_type *t)
{
    struct cel_type *copy;

    if (t->kind == T_PARAM && !t->fresh) {
        for (size_t i = 0; i < in->len; i++)
            if (in->names[i] == t->name.p[0])
                return in->types[i];
        if (in->len == ARRAY_LEN(in->names))
            return &cel_dyn;
        in->names[in->len] = t->name.p[0];
        return in->types[in->len++] = cel_check_fresh(c);
    }
    if (!t->of[0])
        return t;
    copy = ARENA_NEW(c->p->arena, struct cel_type);
    *copy = *t;
    for (size_t i = 0; i < ARRAY_LEN(t->of) && t->of[i]; i++)
        copy->of[i] = cel_check_instantiate(c, in, t->of[i]);
    return copy;
}

bool cel_check_is_same(const struct cel_checker *c, const struct cel_type *a,
                       const struct cel_type *b)
{
    a = cel_check_resolve(c, a);
    b = cel_check_resolve(c, b);
    if (a == b)
        return true;
    if (a->kind != b->kind || !str_eq(a->name, b->name) || a->fresh != b->fresh)
        return false;
    return (!a->of[0] || !b->of[0] || cel_check_is_same(c, a->of[0], b->of[0])) &&
           (!a->of[1] || !b->of[1] || cel_check_is_same(c, a->of[1], b->of[1]));
}

/* The less specific of two types that fit; of null and another the second. */
const struct cel_type *cel_check_generalize(struct cel_checker *c, const struct cel_type *a,
                                            const struct cel_type *b)
{
    return takes_all_of(c, a, b) ? a : b;
}

str cel_check_printed(struct cel_checker *c, const struct cel_type *t)
{
    AUTO(buf_done) struct buf out = {0};

    cel_type_tell(cel_check_substitute(c, t, true), &out);
    return arena_dup(c->p->arena, buf_view(&out));
}

const struct cel_type *cel_check_unwrapped(const struct cel_type *t, bool *is_optional)
{
    *is_optional = t->kind == T_OPTIONAL;
    return *is_optional ? t->of[0] ? t->of[0] : &cel_dyn : t;
}
