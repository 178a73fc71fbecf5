/* One line of the live display: cells, cutting, colours. */
#include "base/duration.h"
#include "base/str.h"
#include "cli/khook/progress.h"

struct cells {
    uint32_t from, to;
};

/* Marks that take no cell of their own, and the blocks whose characters take two. */
static const struct cells zero_wide[] = {{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd},
                                         {0x0610, 0x061a}, {0x064b, 0x065f}, {0x200b, 0x200f},
                                         {0x202a, 0x202e}, {0x2060, 0x2064}, {0x20d0, 0x20f0},
                                         {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
static const struct cells double_wide[] = {
    {0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},  {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},   {0xa000, 0xa4cf},   {0xac00, 0xd7a3},  {0xf900, 0xfaff},
    {0xfe30, 0xfe4f},   {0xff00, 0xff60},   {0xffe0, 0xffe6},  {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

static bool is_in(const struct cells *table, size_t count, uint32_t c)
{
    for (size_t i = 0; i < count; i++)
        if (c >= table[i].from && c <= table[i].to)
            return true;
    return false;
}

/* The next code point of well-formed UTF-8; a stray byte counts as itself. */
static uint32_t take_code_point(str *s)
{
    unsigned char lead = (unsigned char)s->p[0];
    size_t len = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    uint32_t c = len == 1 ? lead : lead & (0xffu >> (len + 1));

    if (lead < 0xc0 || len > s->len) {
        *s = str_from(*s, 1);
        return lead;
    }
    for (size_t i = 1; i < len; i++)
        c = c << 6 | ((unsigned char)s->p[i] & 0x3f);
    *s = str_from(*s, len);
    return c;
}

static size_t cells_of(uint32_t c)
{
    if (c < 0x300)
        return 1;
    if (is_in(zero_wide, ARRAY_LEN(zero_wide), c))
        return 0;
    return is_in(double_wide, ARRAY_LEN(double_wide), c) ? 2 : 1;
}

size_t progress_cells(str text)
{
    size_t cells = 0;

    while (text.len)
        cells += cells_of(take_code_point(&text));
    return cells;
}

/* Names, messages and logs come from outside: control and bidirectional characters could rewrite
 * the screen. */
static bool is_harmful(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

static void add_cut(str text, size_t *room, struct buf *out)
{
    while (text.len && *room) {
        str before = text;
        uint32_t c = take_code_point(&text);
        size_t cells = is_harmful(c) ? 1 : cells_of(c);

        if (cells > *room ||
            (cells == *room && text.len)) { /* no room, or for this one but not for what follows */
            buf_add_utf8(out, 0x2026);
            *room = 0;
            return;
        }
        if (is_harmful(c))
            buf_add_char(out, ' ');
        else
            buf_add(out, before.p, before.len - text.len);
        *room -= cells;
    }
}

static const char *mark_of(const struct progress_line *line)
{
    static const char spinner[][6] = {"\u280b", "\u2819", "\u2839", "\u2838", "\u283c",
                                      "\u2834", "\u2826", "\u2827", "\u2807", "\u280f"};

    switch (line->status) {
    case RUN_PENDING:
        return "\u00b7";
    case RUN_RUNNING:
        return spinner[line->tick % ARRAY_LEN(spinner)];
    case RUN_OK:
        return "\u2713";
    case RUN_FAILED:
        return "\u2717";
    case RUN_SKIPPED:
        return "-";
    }
    return " ";
}

static const char *color_of(enum run_status status)
{
    switch (status) {
    case RUN_PENDING:
    case RUN_SKIPPED:
        return "\033[2m";
    case RUN_RUNNING:
        return "\033[36m";
    case RUN_OK:
        return "\033[32m";
    case RUN_FAILED:
        return "\033[31m";
    }
    return "";
}

static void add_state(const struct progress_line *line, struct buf *out)
{
    switch (line->status) {
    case RUN_PENDING:
        buf_add_cstr(out, "pending");
        return;
    case RUN_RUNNING:
        buf_addf(out, "running %llds", (long long)(line->elapsed_ms / 1000));
        if (line->attempt > 1)
            buf_addf(out, ", attempt %d/%d", line->attempt, line->of);
        break;
    case RUN_OK:
        buf_add_cstr(out, "ok ");
        duration_format_ms(line->elapsed_ms, out);
        break;
    case RUN_FAILED:
        buf_add_cstr(out, "failed");
        break;
    case RUN_SKIPPED:
        buf_add_cstr(out, "skipped");
        break;
    }
    if (line->detail.len)
        buf_addf(out, ": %.*s", STR_ARG(line->detail));
}

void progress_line_draw(const struct progress_line *line, size_t name_width, size_t width,
                        bool color, struct buf *out)
{
    AUTO(buf_done) struct buf state = {0};
    size_t room = width, cells = progress_cells(line->name);

    if (color)
        buf_add_cstr(out, color_of(line->status));
    add_cut(str_of(mark_of(line)), &room, out);
    if (color)
        buf_add_cstr(out, "\033[0m");
    add_cut(STR(" "), &room, out);
    add_cut(line->name, &room, out);
    for (; cells < name_width; cells++)
        add_cut(STR(" "), &room, out);
    add_state(line, &state);
    add_cut(STR("  "), &room, out);
    add_cut(buf_view(&state), &room, out);
}
