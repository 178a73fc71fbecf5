/* The library of versions of Kubernetes (cel spec 11). */
#include "expr/cel/fn_priv.h"
#include "expr/semver/semver.h"

/* The text of an object is a version by the strict rules. */
static struct semver version_of(const struct cel_object *o)
{
    AUTO(err_done) struct err e = {0};
    struct semver v;

    if (semver_parse(o->text, SEMVER_STRICT, &v, &e) < 0)
        return (struct semver){0};
    return v;
}

static int compare(const struct cel_object *a, const struct cel_object *b)
{
    struct semver x = version_of(a), y = version_of(b);
    int c = semver_compare(&x, &y);

    return (c > 0) - (c < 0);
}

static bool is_equal(const struct cel_object *a, const struct cel_object *b)
{
    return compare(a, b) == 0;
}

static const struct cel_object_class class = {"kubernetes.Semver", is_equal};

/* Leading zeros go, one digit stays. */
static void add_number(str part, struct buf *out)
{
    size_t zeros = 0;

    while (zeros + 1 < part.len && part.p[zeros] == '0' && part.p[zeros + 1] >= '0' &&
           part.p[zeros + 1] <= '9')
        zeros++;
    buf_add_str(out, str_from(part, zeros));
}

/* Without a 'v', with all three parts. */
static str normalise(struct cel_run *r, str text)
{
    AUTO(buf_done) struct buf out = {0};
    int parts = 0;
    str rest;

    str_drop_prefix(&text, STR("v"));
    rest = text;
    while (rest.p && parts < 2) {
        add_number(str_cut(rest, '.', &rest), &out);
        buf_add_char(&out, '.');
        parts++;
    }
    if (rest.p) {
        add_number(rest, &out);
        return cel_keep(r, &out);
    }
    if (str_find_char(text, '-') >= 0 || str_find_char(text, '+') >= 0)
        return text; /* a short version cannot have more: no version */
    buf_add_cstr(&out, parts == 1 ? "0.0" : "0");
    return cel_keep(r, &out);
}

static struct cel_value parse(struct cel_run *r, str text)
{
    AUTO(err_done) struct err e = {0};
    struct cel_object *o;
    struct semver v;

    if (semver_parse(text, SEMVER_STRICT, &v, &e) < 0)
        return cel_fail(r->arena, CEL_OTHER, "semver parse error during conversion from string: %s",
                        err_text(&e));
    o = cel_new_object(r, &class);
    o->text = text;
    return cel_make_object(o);
}

static str wanted_text(struct cel_run *r, const struct cel_value *a, size_t count)
{
    return count > 1 && a[1].b ? normalise(r, a[0].s) : a[0].s;
}

FN(to_semver) { return parse(r, wanted_text(r, a, count)); }

FN(is_semver) { return cel_make_bool(parse(r, wanted_text(r, a, count)).kind == CEL_OBJECT); }

FN(major) { return cel_make_int((int64_t)version_of(a[0].object).major); }
FN(minor) { return cel_make_int((int64_t)version_of(a[0].object).minor); }
FN(patch) { return cel_make_int((int64_t)version_of(a[0].object).patch); }
FN(compare_to) { return cel_make_int(compare(a[0].object, a[1].object)); }
FN(is_greater) { return cel_make_bool(compare(a[0].object, a[1].object) > 0); }
FN(is_less) { return cel_make_bool(compare(a[0].object, a[1].object) < 0); }

#define SEMVER "kubernetes.Semver"

void cel_rows_semver(const struct cel_rows *to)
{
    cel_add_row(to, "semver", false, "string", SEMVER, to_semver);
    cel_add_row(to, "semver", false, "string,bool", SEMVER, to_semver);
    cel_add_row(to, "isSemver", false, "string", "bool", is_semver);
    cel_add_row(to, "isSemver", false, "string,bool", "bool", is_semver);
    cel_add_row(to, "major", true, SEMVER, "int", major);
    cel_add_row(to, "minor", true, SEMVER, "int", minor);
    cel_add_row(to, "patch", true, SEMVER, "int", patch);
    cel_add_row(to, "compareTo", true, SEMVER "," SEMVER, "int", compare_to);
    cel_add_row(to, "isGreaterThan", true, SEMVER "," SEMVER, "bool", is_greater);
    cel_add_row(to, "isLessThan", true, SEMVER "," SEMVER, "bool", is_less);
}
