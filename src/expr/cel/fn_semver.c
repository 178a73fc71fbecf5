/* The library of versions of Kubernetes (cel spec 11). */
#include "expr/cel/fn_priv.h"
#include "expr/gotmpl/text_priv.h"
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

/* Leading zeros go; what then does not begin with a digit gets one back. */
static void add_number(str part, struct buf *out)
{
    size_t zeros = 0;

    while (part.len > 1 && zeros < part.len && part.p[zeros] == '0')
        zeros++;
    if (part.len > 1 && (zeros == part.len || part.p[zeros] < '0' || part.p[zeros] > '9'))
        buf_add_char(out, '0');
    buf_add_str(out, str_from(part, zeros));
}

/* Without a 'v', with all three parts. A NULL text: there is no such version. */
static str normalise(struct cel_run *r, str text)
{
    AUTO(buf_done) struct buf out = {0};
    str rest = text, part;
    int parts = 1;

    str_drop_prefix(&rest, STR("v"));
    for (part = rest; parts < 3; parts++) {
        part = str_cut(rest, '.', &rest);
        add_number(part, &out);
        if (!rest.p)
            break;
        buf_add_char(&out, '.');
    }
    if (rest.p) {
        add_number(rest, &out);
        return cel_keep(r, &out);
    }
    if (str_find_char(part, '-') >= 0 || str_find_char(part, '+') >= 0)
        return STR_NONE;
    buf_add_cstr(&out, parts == 1 ? ".0.0" : ".0");
    return cel_keep(r, &out);
}

/* ---- what is no version, in the words of the library that API servers use */

static bool tell(struct buf *why, const char *what, str part)
{
    buf_addf(why, "%s ", what);
    text_quote(part, false, why);
    return false;
}

static bool has_leading_zero(str part) { return part.len > 1 && part.p[0] == '0'; }

static bool is_number(str part)
{
    for (size_t i = 0; i < part.len; i++)
        if (part.p[i] < '0' || part.p[i] > '9')
            return false;
    return true;
}

static bool is_plain(str part)
{
    for (size_t i = 0; i < part.len; i++) {
        char c = part.p[i];

        if (c != '-' && (c < '0' || c > '9') && ((c | 0x20) < 'a' || (c | 0x20) > 'z'))
            return false;
    }
    return true;
}

static bool in_range(str part, struct buf *why)
{
    uint64_t value;

    if (str_to_uint64(part, &value))
        return true;
    buf_add_cstr(why, "strconv.ParseUint: parsing ");
    text_quote(part, false, why);
    buf_add_cstr(why, part.len ? ": value out of range" : ": invalid syntax");
    return false;
}

static bool judge_number(str part, const char *name, struct buf *why)
{
    AUTO(buf_done) struct buf what = {0};

    if (!is_number(part)) {
        buf_addf(&what, "Invalid character(s) found in %s number", name);
        return tell(why, buf_cstr(&what), part);
    }
    if (has_leading_zero(part)) {
        buf_addf(&what, "%c%s number must not contain leading zeroes", name[0] - 0x20, name + 1);
        return tell(why, buf_cstr(&what), part);
    }
    return in_range(part, why);
}

static bool judge_pre(str rest, struct buf *why)
{
    while (rest.p) {
        str part = str_cut(rest, '.', &rest);

        if (!part.len) {
            buf_add_cstr(why, "Prerelease is empty");
            return false;
        }
        if (is_number(part) && has_leading_zero(part))
            return tell(why, "Numeric PreRelease version must not contain leading zeroes", part);
        if (!is_plain(part))
            return tell(why, "Invalid character(s) found in prerelease", part);
        if (is_number(part) && !in_range(part, why))
            return false;
    }
    return true;
}

static bool judge_build(str rest, struct buf *why)
{
    while (rest.p) {
        str part = str_cut(rest, '.', &rest);

        if (!part.len) {
            buf_add_cstr(why, "Build meta data is empty");
            return false;
        }
        if (!is_plain(part))
            return tell(why, "Invalid character(s) found in build meta data", part);
    }
    return true;
}

static bool judge(str text, struct buf *why)
{
    str major, minor, patch, pre, build;

    if (!text.len) {
        buf_add_cstr(why, "Version string empty");
        return false;
    }
    major = str_cut(text, '.', &minor);
    minor = minor.p ? str_cut(minor, '.', &patch) : STR_NONE;
    if (!minor.p || !patch.p) {
        buf_add_cstr(why, "No Major.Minor.Patch elements found");
        return false;
    }
    patch = str_cut(patch, '+', &build);
    patch = str_cut(patch, '-', &pre);
    return judge_number(major, "major", why) && judge_number(minor, "minor", why) &&
           judge_number(patch, "patch", why) && judge_pre(pre, why) && judge_build(build, why);
}

static struct cel_value parse(struct cel_run *r, str text)
{
    AUTO(buf_done) struct buf why = {0};
    struct cel_object *o;

    if (!text.p)
        return cel_fail(r->arena, CEL_OTHER,
                        "short version cannot contain PreRelease/Build meta data");
    if (!judge(text, &why))
        return cel_fail(r->arena, CEL_OTHER, "%s", buf_cstr(&why));
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
