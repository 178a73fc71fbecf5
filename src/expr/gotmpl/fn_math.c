/* Integers (template spec 14.3). */
#include <math.h>

#include "expr/gotmpl/fn_priv.h"
#include "expr/gotmpl/objects_priv.h"

static int64_t float_to_int(double f)
{
    if (!(f < 9223372036854775808.0 && f >= -9223372036854775808.0))
        return INT64_MIN; /* as the processor Go runs on converts it */
    return (int64_t)f;
}

/* "3.000" is 3. */
static str drop_zero_fraction(str s)
{
    size_t end = s.len;

    while (end && s.p[end - 1] == '0')
        end--;
    return end && end < s.len && s.p[end - 1] == '.' ? str_sub(s, 0, end - 1) : s;
}

int64_t fn_to_int(struct tmpl_value v)
{
    int64_t i;

    switch ((enum tmpl_type)v.type) {
    case TMPL_BOOL:
        return v.b;
    case TMPL_INT:
    case TMPL_INT64:
    case TMPL_UINT8:
    case TMPL_UINT64:
        return v.i;
    case TMPL_FLOAT:
        return float_to_int(v.f);
    case TMPL_STRING:
        return text_to_int(drop_zero_fraction(tmpl_text(v)), 0, &i) ? i : 0;
    default: /* a duration, too: sprig's library of conversions does not know it */
        return 0;
    }
}

double fn_to_float(struct tmpl_value v)
{
    double f;

    if (v.type == TMPL_FLOAT)
        return v.f;
    if (v.type == TMPL_STRING)
        return text_to_float(tmpl_text(v), &f) ? f : 0;
    return (double)fn_to_int(v);
}

static int f_int(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_int(fn_to_int(c->args[0]));
    return 0;
}

static int f_int64(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_int64(fn_to_int(c->args[0]));
    return 0;
}

static int f_float64(struct tmpl_call *c, struct tmpl_value *ret)
{
    *ret = tmpl_float(fn_to_float(c->args[0]));
    return 0;
}

static int f_atoi(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t i;

    *ret = tmpl_int(text_to_int(arg_text(c, 0), 10, &i) ? i : 0);
    return 0;
}

static int f_to_decimal(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t i;

    *ret = tmpl_int64(text_to_int(value_strval(c->run, c->args[0]), 8, &i) ? i : 0);
    return 0;
}

static int ret_wrapped(struct tmpl_value *ret, uint64_t u)
{
    *ret = tmpl_int64((int64_t)u);
    return 0;
}

static int f_add(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < c->argc; i++)
        sum += (uint64_t)fn_to_int(c->args[i]);
    return ret_wrapped(ret, sum);
}

static int f_add1(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_wrapped(ret, (uint64_t)fn_to_int(c->args[0]) + 1);
}

static int f_sub(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_wrapped(ret, (uint64_t)fn_to_int(c->args[0]) - (uint64_t)fn_to_int(c->args[1]));
}

static int f_mul(struct tmpl_call *c, struct tmpl_value *ret)
{
    uint64_t product = 1;

    for (size_t i = 0; i < c->argc; i++)
        product *= (uint64_t)fn_to_int(c->args[i]);
    return ret_wrapped(ret, product);
}

static int divide(struct tmpl_call *c, bool wants_rest, struct tmpl_value *ret)
{
    int64_t a = fn_to_int(c->args[0]), b = fn_to_int(c->args[1]);

    if (b == 0)
        return call_fail(c, "runtime error: integer divide by zero");
    if (b == -1) /* the smallest number has no negative */
        return ret_wrapped(ret, wants_rest ? 0 : 0 - (uint64_t)a);
    *ret = tmpl_int64(wants_rest ? a % b : a / b);
    return 0;
}

static int f_div(struct tmpl_call *c, struct tmpl_value *ret) { return divide(c, false, ret); }
static int f_mod(struct tmpl_call *c, struct tmpl_value *ret) { return divide(c, true, ret); }

static int f_max(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t best = fn_to_int(c->args[0]);

    for (size_t i = 1; i < c->argc; i++)
        best = MAX(best, fn_to_int(c->args[i]));
    *ret = tmpl_int64(best);
    return 0;
}

static int f_min(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t best = fn_to_int(c->args[0]);

    for (size_t i = 1; i < c->argc; i++)
        best = MIN(best, fn_to_int(c->args[i]));
    *ret = tmpl_int64(best);
    return 0;
}

/* ---- ranges */

struct span {
    int64_t start, stop, step; /* stop is not in it */
};

static uint64_t span_count(struct span s)
{
    if (s.step == 0 || (s.step > 0 ? s.start >= s.stop : s.start <= s.stop))
        return 0;
    if (s.step > 0)
        return ((uint64_t)s.stop - (uint64_t)s.start - 1) / (uint64_t)s.step + 1;
    return ((uint64_t)s.start - (uint64_t)s.stop - 1) / (0 - (uint64_t)s.step) + 1;
}

static int64_t span_at(struct span s, uint64_t i)
{
    return (int64_t)((uint64_t)s.start + i * (uint64_t)s.step);
}

static int ret_span(struct tmpl_call *c, struct span s, struct tmpl_value *ret)
{
    uint64_t count = span_count(s);
    struct tmpl_value *items;

    if (count > SIZE_MAX / 32 || trun_room(c->run, (size_t)count * sizeof(*items)) < 0)
        return count > SIZE_MAX / 32 ? trun_room(c->run, SIZE_MAX) : -1;
    items = trun_array(c->run, (size_t)count);
    for (uint64_t i = 0; i < count; i++)
        items[i] = tmpl_int(span_at(s, i));
    return ret_list(ret, TMPL_INTS, items, (size_t)count);
}

static int f_until(struct tmpl_call *c, struct tmpl_value *ret)
{
    int64_t stop = c->args[0].i;

    return ret_span(c, (struct span){0, stop, stop < 0 ? -1 : 1}, ret);
}

static int f_until_step(struct tmpl_call *c, struct tmpl_value *ret)
{
    return ret_span(c, (struct span){c->args[0].i, c->args[1].i, c->args[2].i}, ret);
}

static int f_seq(struct tmpl_call *c, struct tmpl_value *ret)
{
    struct span s = {1, 0, 1};
    struct buf *b;
    uint64_t count;

    if (c->argc == 0 || c->argc > 3)
        return ret_view(ret, STR(""));
    if (c->argc > 1)
        s.start = c->args[0].i;
    s.stop = c->args[c->argc - 1].i;
    s.step = c->argc == 3 ? c->args[1].i : s.stop < s.start ? -1 : 1;
    if ((s.step > 0 && s.stop == INT64_MAX) || (s.step < 0 && s.stop == INT64_MIN))
        return trun_room(c->run, SIZE_MAX);
    s.stop += s.step > 0 ? 1 : -1; /* the end counts */
    b = trun_borrow(c->run);
    count = span_count(s);
    for (uint64_t i = 0; i < count && trun_room(c->run, b->len) == 0; i++)
        buf_addf(b, "%s%lld", i ? " " : "", (long long)span_at(s, i));
    return ret_text(c, b, ret);
}

static void add_rows(struct func_rows *to)
{
    func_add(to, "int", "A", f_int, 0, "A number or numeric text as int; 0 for others",
             "{{ int \"0x1F\" }}", "31");
    func_add(to, "int64", "A", f_int64, 0, "As int, of type int64", "{{ int64 2.9 }}", "2");
    func_add(to, "float64", "A", f_float64, 0, "A number or numeric text as float64; 0 for others",
             "{{ float64 \"2.5\" }}", "2.5");
    func_add(to, "atoi", "S", f_atoi, 0, "A decimal text as int; 0 for others", "{{ atoi \"42\" }}",
             "42");
    func_add(to, "toDecimal", "A", f_to_decimal, 0,
             "The number that a text of octal digits stands for", "{{ toDecimal \"0777\" }}",
             "511");
    func_add(to, "add", "A*", f_add, 0, "The sum, in integers", "{{ add 1 2 3 }}", "6");
    func_add(to, "add1", "A", f_add1, 0, "One more", "{{ add1 4 }}", "5");
    func_add(to, "sub", "AA", f_sub, 0, "The difference, in integers", "{{ sub 5 3 }}", "2");
    func_add(to, "mul", "AA*", f_mul, 0, "The product, in integers", "{{ mul 2 3 4 }}", "24");
    func_add(to, "div", "AA", f_div, 0, "The quotient, cut towards zero", "{{ div 7 2 }}", "3");
    func_add(to, "mod", "AA", f_mod, 0, "The rest of a division", "{{ mod 7 2 }}", "1");
    func_add(to, "max", "AA*", f_max, 0, "The largest, in integers", "{{ max 1 3 2 }}", "3");
    func_add(to, "biggest", "AA*", f_max, 0, "The same as max", "{{ biggest 1 3 2 }}", "3");
    func_add(to, "min", "AA*", f_min, 0, "The smallest, in integers", "{{ min 3 1 2 }}", "1");
    func_add(to, "until", "I", f_until, 0, "The list 0 … n-1", "{{ until 3 }}", "[0 1 2]");
    func_add(to, "untilStep", "III", f_until_step, 0, "The list from start to before stop by step",
             "{{ untilStep 3 9 3 }}", "[3 6]");
    func_add(to, "seq", "I*", f_seq, 0,
             "The numbers up to END, from START to END, or by a STEP between, as text",
             "{{ seq 0 2 6 }}", "0 2 4 6");
}
FUNC_GROUP(func_math, "Integers", add_rows, IN_SPRIG);
