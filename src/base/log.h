/* Logs and the registry of secrets. One record a line on stderr: message plus keys and values, as
 * text or JSON (khook spec 18.3). Level, format, sink and registry are process-wide and locked; any
 * thread.
 *
 * A registered secret never leaves in any of its spellings (khook spec 2.6): everything that is
 * printed goes through secret_mask, structured output value by value before encoding. */
#pragma once
#include "base/buf.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format { LOG_TEXT, LOG_JSON };

struct log_field {
    const char *key;
    str value;
    bool is_number; /* number instead of value: bare in JSON */
    int64_t number;
};
#define LOG_STR(k, v) ((struct log_field){.key = (k), .value = (v)})
#define LOG_NUMBER(k, n) ((struct log_field){.key = (k), .is_number = true, .number = (n)})

void log_set_level(enum log_level level);
void log_set_format(enum log_format format);
bool log_is_on(enum log_level level);
/* Where finished, masked lines go, their line end included; called with a lock held, so it must not
 * log. NULL: stderr. */
typedef void log_sink_fn(void *ctx, enum log_level level, str line);
void log_set_sink(log_sink_fn *sink, void *ctx);
void log_set_clock(int64_t (*wall_us)(void)); /* tests; NULL: the real time */
void log_record(enum log_level level, str message, const struct log_field *fields, size_t count);
#define log_at(level, message, ...)                                   \
    ({                                                                \
        const struct log_field fields_[] = {__VA_ARGS__};             \
        log_record(level, STR(message), fields_, ARRAY_LEN(fields_)); \
    })
#define log_debug(...) log_at(LOG_DEBUG, __VA_ARGS__)
#define log_info(...) log_at(LOG_INFO, __VA_ARGS__)
#define log_warn(...) log_at(LOG_WARN, __VA_ARGS__)
#define log_error(...) log_at(LOG_ERROR, __VA_ARGS__)

/* Registers a value and its other spellings: JSON-escaped, base64 with and without padding,
 * percent-encoded, each line of four or more characters (khook spec 2.6). The empty text is
 * ignored. */
void secret_add(str value);
/* Appends text with every registered spelling replaced by "***", longer ones first, and without the
 * credentials of URLs. */
void secret_mask(str text, struct buf *out);
bool secret_any(void);
void secret_forget_all(void); /* tests */
/* The raw registered values (not the additional spellings), in order of registration, joined by
 * NUL; tests. */
void secret_list(struct buf *out);
