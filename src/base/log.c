#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/escape.h"
#include "base/map.h"
#include "base/mask.h"
#include "base/time.h"
#include "base/utf8.h"

static atomic_int level_now = LOG_INFO;
static atomic_int format_now = LOG_TEXT;
static _Atomic(int64_t (*)(void)) clock_now_us;
static struct {
    pthread_mutex_t lock;
    log_sink_fn *write;
    void *ctx;
} sink = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct {
    pthread_mutex_t lock;
    struct arena arena;
    struct map known; /* raw values, in order */
    struct mask mask;
} secrets = {.lock = PTHREAD_MUTEX_INITIALIZER};

void log_set_level(enum log_level level) { atomic_store(&level_now, (int)level); }
void log_set_format(enum log_format format) { atomic_store(&format_now, (int)format); }
bool log_is_on(enum log_level level) { return (int)level >= atomic_load(&level_now); }
void log_set_clock(int64_t (*wall_us)(void)) { atomic_store(&clock_now_us, wall_us); }

void log_set_sink(log_sink_fn *write_line, void *ctx)
{
    pthread_mutex_lock(&sink.lock);
    sink.write = write_line;
    sink.ctx = ctx;
    pthread_mutex_unlock(&sink.lock);
}

static void add_time(struct buf *out)
{
    int64_t (*now)(void) = atomic_load(&clock_now_us);
    struct timespec ts;

    clock_gettime(CLOCK_REALTIME, &ts);
    time_rfc3339_us(now ? now() : (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000, 3, out);
}

static const char *level_name(enum log_level level)
{
    static const char names[][6] = {"DEBUG", "INFO", "WARN", "ERROR"};

    return names[level];
}

/* A value goes bare when a reader can take it back apart at blanks and "=". */
static bool needs_quotes(str s)
{
    size_t bad;

    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.p[i];

        if (c <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f)
            return true;
    }
    return s.len == 0 || !str_is_utf8(s, &bad);
}

static void add_text_value(const struct log_field *field, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0}, number = {0};

    if (field->is_number)
        buf_addf(&number, "%lld", (long long)field->number);
    secret_mask(field->is_number ? buf_view(&number) : field->value, &masked);
    if (needs_quotes(buf_view(&masked)))
        escape_quoted(buf_view(&masked), out);
    else
        buf_add_str(out, buf_view(&masked));
}

static void add_json_value(str value, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};

    secret_mask(value, &masked);
    buf_add_char(out, '"');
    escape_json(buf_view(&masked), false, out);
    buf_add_char(out, '"');
}

static void format_text(enum log_level level, str message, const struct log_field *fields,
                        size_t count, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};

    buf_add_str(out, STR("time="));
    add_time(out);
    buf_addf(out, " level=%s msg=", level_name(level));
    secret_mask(message, &masked);
    escape_quoted(buf_view(&masked), out);
    for (size_t i = 0; i < count; i++) {
        buf_addf(out, " %s=", fields[i].key);
        add_text_value(&fields[i], out);
    }
    buf_add_char(out, '\n');
}

static void format_json(enum log_level level, str message, const struct log_field *fields,
                        size_t count, struct buf *out)
{
    buf_add_str(out, STR("{\"time\":\""));
    add_time(out);
    buf_addf(out, "\",\"level\":\"%s\",\"msg\":", level_name(level));
    add_json_value(message, out);
    for (size_t i = 0; i < count; i++) {
        buf_addf(out, ",\"%s\":", fields[i].key);
        if (fields[i].is_number) /* a short secret must not turn it into "***" */
            buf_addf(out, "%lld", (long long)fields[i].number);
        else
            add_json_value(fields[i].value, out);
    }
    buf_add_str(out, STR("}\n"));
}

/* What cannot be written is lost: there is nowhere left to say so. */
static void write_stderr(str line)
{
    while (line.len) {
        ssize_t n = write(STDERR_FILENO, line.p, line.len);

        if (n < 0 && errno != EINTR)
            return;
        line = str_from(line, n > 0 ? (size_t)n : 0);
    }
}

void log_record(enum log_level level, str message, const struct log_field *fields, size_t count)
{
    AUTO(buf_done) struct buf line = {0};

    if (!log_is_on(level))
        return;
    if (atomic_load(&format_now) == LOG_JSON)
        format_json(level, message, fields, count, &line);
    else
        format_text(level, message, fields, count, &line);
    pthread_mutex_lock(&sink.lock);
    if (sink.write)
        sink.write(sink.ctx, level, buf_view(&line));
    else
        write_stderr(buf_view(&line));
    pthread_mutex_unlock(&sink.lock);
}

/* Spellings beyond the JSON ones are left out below four characters: they would hit everything. */
static void add_long_enough(str spelling)
{
    if (utf8_count(spelling) >= 4)
        mask_add(&secrets.mask, spelling);
}

/* %2f for %2F. */
static void add_lower_hex(str encoded)
{
    AUTO(buf_done) struct buf form = {0};

    for (size_t i = 0; i < encoded.len; i++) {
        bool is_digit = (i >= 1 && encoded.p[i - 1] == '%') || (i >= 2 && encoded.p[i - 2] == '%');
        bool is_upper = encoded.p[i] >= 'A' && encoded.p[i] <= 'F';

        buf_add_char(&form, (char)(is_digit && is_upper ? encoded.p[i] + 32 : encoded.p[i]));
    }
    add_long_enough(buf_view(&form));
}

/* In YAML's single quotes, as differences print texts, a quote is written twice. */
static void add_quotes_doubled(str value)
{
    AUTO(buf_done) struct buf form = {0};

    for (size_t i = 0; i < value.len; i++)
        buf_add_repeat(&form, value.p[i], value.p[i] == '\'' ? 2 : 1);
    add_long_enough(buf_view(&form));
}

/* In YAML's double quotes control characters have spellings that JSON does not have. */
static void add_yaml_escapes(str value)
{
    static const char letters[] = "0\0\0\0\0\0\0abtnvfr\0\0\0\0\0\0\0\0\0\0\0\0\0e";
    AUTO(buf_done) struct buf form = {0};

    for (size_t i = 0; i < value.len; i++) {
        unsigned char c = (unsigned char)value.p[i];
        char letter = c == '"' || c == '\\' ? (char)c : c < sizeof(letters) ? letters[c] : '\0';

        if (letter)
            buf_addf(&form, "\\%c", letter);
        else if (c < ' ' || c == 0x7f)
            buf_addf(&form, "\\x%02X", c);
        else
            buf_add_char(&form, (char)c);
    }
    mask_add(&secrets.mask, buf_view(&form));
}

static void add_blank_as_plus(str encoded)
{
    AUTO(buf_done) struct buf form = {0};

    for (ssize_t at; (at = str_find(encoded, STR("%20"))) >= 0;) {
        buf_add(&form, encoded.p, (size_t)at);
        buf_add_char(&form, '+');
        encoded = str_from(encoded, (size_t)at + 3);
    }
    buf_add_str(&form, encoded);
    add_long_enough(buf_view(&form));
}

static void add_lines(str value)
{
    str line;

    if (str_find_char(value, '\n') < 0)
        return;
    while (str_next_line(&value, &line))
        add_long_enough(str_trim_right(line, "\r"));
}

static void add_spellings(str value)
{
    AUTO(buf_done) struct buf text = {0};

    mask_add(&secrets.mask, value);
    for (int html = 0; html <= 1; html++) {
        buf_clear(&text);
        escape_json(value, html, &text);
        mask_add(&secrets.mask, buf_view(&text));
    }
    for (int padded = 0; padded <= 1; padded++) {
        buf_clear(&text);
        escape_base64(value, padded, &text);
        add_long_enough(buf_view(&text));
    }
    buf_clear(&text);
    escape_percent(value, "", &text);
    add_long_enough(buf_view(&text));
    add_blank_as_plus(buf_view(&text));
    add_lower_hex(buf_view(&text));
    add_quotes_doubled(value);
    add_yaml_escapes(value);
    add_lines(value);
}

void secret_add(str value)
{
    if (value.len == 0)
        return;
    pthread_mutex_lock(&secrets.lock);
    if (!map_has(&secrets.known, value)) {
        map_put(&secrets.known, arena_dup(&secrets.arena, value), &secrets);
        add_spellings(value);
    }
    pthread_mutex_unlock(&secrets.lock);
}

/* The secrets first: one may be a URL with credentials, and without them it would not be found. */
void secret_mask(str text, struct buf *out)
{
    AUTO(buf_done) struct buf masked = {0};

    pthread_mutex_lock(&secrets.lock);
    mask_apply(&secrets.mask, text, &masked);
    pthread_mutex_unlock(&secrets.lock);
    mask_userinfo(buf_view(&masked), out);
}

bool secret_any(void)
{
    bool any;

    pthread_mutex_lock(&secrets.lock);
    any = secrets.known.len > 0;
    pthread_mutex_unlock(&secrets.lock);
    return any;
}

void secret_forget_all(void)
{
    pthread_mutex_lock(&secrets.lock);
    map_done(&secrets.known);
    secrets.known = (struct map){0};
    mask_done(&secrets.mask);
    arena_done(&secrets.arena);
    secrets.arena = (struct arena){0};
    pthread_mutex_unlock(&secrets.lock);
}

void secret_list(struct buf *out)
{
    pthread_mutex_lock(&secrets.lock);
    for (size_t i = 0; i < secrets.known.used; i++) {
        if (i)
            buf_add_char(out, '\0');
        buf_add_str(out, secrets.known.entries[i].key);
    }
    pthread_mutex_unlock(&secrets.lock);
}
