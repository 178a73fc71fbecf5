#include "bench/pair.h"

#include <time.h>

enum { MAX_PAIRS = 7 };

static double seconds(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double pair_now(void) { return seconds(CLOCK_MONOTONIC); }
double pair_cpu(void) { return seconds(CLOCK_PROCESS_CPUTIME_ID); }

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double pair_median(double *v, size_t count)
{
    qsort(v, count, sizeof(*v), by_value);
    return v[count / 2];
}

struct sample {
    double ratios[MAX_PAIRS], median, ours, theirs; /* ratios sorted; the best times */
    int count;
};

static bool take(struct sample *s, const struct pair_row *row, pair_fn *ours, pair_fn *theirs,
                 void *ctx)
{
    double first = ours(ctx), second = theirs(ctx);

    if (first < 0 || second < 0)
        return false;
    s->ours = s->theirs = 1e9;
    s->count = first + second < 2 ? MAX_PAIRS : first + second < 30 ? 3 : 1;
    for (int i = 0; i < s->count; i++) {
        double a = ours(ctx), b = theirs(ctx);

        if (a < 0 || b < 0)
            return false;
        s->ratios[i] = row->is_ratio_ours ? a / b : b / a;
        s->ours = MIN(s->ours, a);
        s->theirs = MIN(s->theirs, b);
    }
    s->median = pair_median(s->ratios, (size_t)s->count);
    return true;
}

static bool is_noisy(const struct sample *s) { return s->ratios[s->count - 1] > 2 * s->ratios[0]; }

bool pair_run(const struct pair_row *row, pair_fn *ours, pair_fn *theirs, void *ctx)
{
    struct sample s = {0};
    bool is_met;

    if (!take(&s, row, ours, theirs, ctx) || (is_noisy(&s) && !take(&s, row, ours, theirs, ctx))) {
        printf("bench/%s: a side failed: BELOW\n", row->name);
        return false;
    }
    is_met = row->bar <= 0 || (row->is_ratio_ours ? s.median <= row->bar : s.median >= row->bar);
    printf("bench/%s: %.2fx [%.2f %.2f], ours %.3f ms, theirs %.3f ms", row->name, s.median,
           s.ratios[0], s.ratios[s.count - 1], s.ours * 1e3, s.theirs * 1e3);
    if (row->bar > 0)
        printf(", bar %s %gx: %s", row->is_ratio_ours ? "<=" : ">=", row->bar,
               is_met ? "ok" : "BELOW");
    printf("%s\n", is_noisy(&s) ? " NOISY" : "");
    fflush(stdout);
    return is_met;
}

bool pair_value(const char *name, double value, const char *unit, double bar)
{
    bool is_met = bar <= 0 || value <= bar;

    printf("bench/%s: %.2f %s", name, value, unit);
    if (bar > 0)
        printf(", bar <= %g: %s", bar, is_met ? "ok" : "BELOW");
    printf("\n");
    fflush(stdout);
    return is_met;
}
