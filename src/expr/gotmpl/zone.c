#include "expr/gotmpl/zone.h"

#include <pthread.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/mem.h"
#include "expr/gotmpl/zone_rule_priv.h"
#include "sys/file.h"

#define ZONE_FOLDER "/usr/share/zoneinfo/"
enum { LARGEST_FILE = 1 << 20, HEADER = 44, DAY = 86400 };

struct span {
    int64_t from;
    int offset;
    str name;
};
struct zone {
    struct span first; /* before the first change */
    struct span *spans;
    size_t count;
    bool has_rule; /* behind the last change */
    struct zone_rule rule;
};

static struct arena arena; /* of all zones */
static struct map zones;   /* name to struct zone */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- the zone database's files (RFC 8536) */

static int64_t read_int(const char *p, size_t len)
{
    uint64_t u = (unsigned char)p[0] & 0x80 ? UINT64_MAX : 0;

    while (len--)
        u = u << 8 | (unsigned char)*p++;
    return (int64_t)u;
}

struct counts {
    size_t utc, standard, leaps, times, types, letters;
};

static bool read_header(str data, struct counts *ret)
{
    size_t *fields[] = {&ret->utc,   &ret->standard, &ret->leaps,
                        &ret->times, &ret->types,    &ret->letters};

    if (data.len < HEADER || !str_starts(data, STR("TZif")))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        *fields[i] = (size_t)read_int(data.p + 20 + 4 * i, 4);
        if (*fields[i] > LARGEST_FILE)
            return false;
    }
    return ret->types > 0;
}

static size_t body_len(const struct counts *c, size_t width)
{
    return c->times * (width + 1) + c->types * 6 + c->letters + c->leaps * (width + 4) +
           c->standard + c->utc;
}

static bool read_type(str types, str letters, size_t index, struct span *ret)
{
    size_t at;

    if (index * 6 + 6 > types.len)
        return false;
    at = (unsigned char)types.p[index * 6 + 5];
    ret->offset = (int)read_int(types.p + index * 6, 4);
    ret->name = str_cut(str_from(letters, at), '\0', NULL);
    return at <= letters.len;
}

static bool read_body(str data, const struct counts *c, size_t width, struct zone *z)
{
    str times = str_sub(data, 0, c->times * width);
    str indexes = str_sub(data, times.len, c->times);
    str types = str_sub(data, times.len + indexes.len, c->types * 6);
    str letters = str_sub(data, times.len + indexes.len + types.len, c->letters);

    if (data.len < body_len(c, width) || !read_type(types, letters, 0, &z->first))
        return false;
    z->count = c->times;
    z->spans = ARENA_ARRAY(&arena, struct span, z->count + 1);
    for (size_t i = 0; i < z->count; i++) {
        z->spans[i].from = read_int(times.p + i * width, width);
        if (!read_type(types, letters, (unsigned char)indexes.p[i], &z->spans[i]))
            return false;
    }
    return true;
}

/* Behind a first part with 32-bit times lies the same with 64 bits. */
static struct zone *read_zone(str data)
{
    struct zone *z = ARENA_NEW(&arena, struct zone);
    struct counts c;

    if (!read_header(data, &c))
        return NULL;
    if (data.p[4] < '2')
        return read_body(str_from(data, HEADER), &c, 4, z) ? z : NULL;
    data = str_from(data, HEADER + body_len(&c, 4));
    if (!read_header(data, &c))
        return NULL;
    if (!read_body(str_from(data, HEADER), &c, 8, z))
        return NULL;
    data = str_from(data, HEADER + body_len(&c, 8));
    z->has_rule =
        str_drop_prefix(&data, STR("\n")) && zone_rule_parse(str_cut(data, '\n', NULL), &z->rule);
    return z;
}

static bool is_name(str name)
{
    return name.len && name.p[0] != '/' && !str_contains(name, STR("..")) &&
           str_find_char(name, '\0') < 0;
}

static const struct zone *load(str name)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf path = {0}, data = {0};
    const struct zone *z = NULL;

    buf_addf(&path, ZONE_FOLDER "%.*s", STR_ARG(name));
    if (file_read(buf_cstr(&path), LARGEST_FILE, &data, &e) == 0)
        z = read_zone(arena_dup(&arena, buf_view(&data)));
    map_put(&zones, arena_dup(&arena, name), (void *)z); /* what is not there is known as well */
    return z;
}

const struct zone *zone_find(str name, bool *ret_known)
{
    const struct zone *z;

    *ret_known = !name.len || str_eq(name, STR("UTC"));
    if (*ret_known || !is_name(name))
        return NULL;
    pthread_mutex_lock(&lock);
    z = map_has(&zones, name) ? map_get(&zones, name) : load(name);
    pthread_mutex_unlock(&lock);
    *ret_known = z;
    return z;
}

/* Names of these are kept apart from those of the database by a '='. */
static const struct zone *made_zone(str key, str name, int offset)
{
    struct zone *z;

    pthread_mutex_lock(&lock);
    z = map_get(&zones, key);
    if (!z) {
        z = ARENA_NEW(&arena, struct zone);
        z->first = (struct span){0, offset, arena_dup(&arena, name)};
        map_put(&zones, arena_dup(&arena, key), z);
    }
    pthread_mutex_unlock(&lock);
    return z;
}

const struct zone *zone_fixed(int offset)
{
    char key[24];

    if (offset == 0)
        return NULL;
    snprintf(key, sizeof(key), "=%+03d%02d", offset / 3600, abs(offset) / 60 % 60);
    return made_zone(str_of(key), str_of(key + 1), offset);
}

const struct zone *zone_named(str name)
{
    char key[24];

    snprintf(key, sizeof(key), "=%.*s", STR_ARG(str_sub(name, 0, 16)));
    return made_zone(str_of(key), name, 0);
}

static struct span span_at(const struct zone *z, int64_t sec)
{
    size_t low = 0, high = z ? z->count : 0;

    if (!z)
        return (struct span){.name = STR("UTC")};
    while (low < high) {
        size_t middle = (low + high) / 2;

        if (z->spans[middle].from <= sec)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && low == z->count && z->has_rule) {
        bool is_summer = zone_rule_is_summer(&z->rule, sec);

        return (struct span){sec, is_summer ? z->rule.summer : z->rule.standard,
                             is_summer ? z->rule.summer_name : z->rule.standard_name};
    }
    return low ? z->spans[low - 1] : z->first;
}

/* ---- civil time */

void civil_of(struct moment m, struct civil *c)
{
    struct span s = span_at(m.zone, m.sec);

    civil_of_local(m.sec + s.offset, c);
    c->offset = s.offset;
    c->zone = s.name;
}

int64_t civil_to_unix(const struct civil *c, const struct zone *zone)
{
    int64_t local = days_of(c->year, c->month, c->day) * DAY + (int64_t)c->hour * 3600 +
                    (int64_t)c->minute * 60 + c->second;
    int64_t guess = local - span_at(zone, local).offset;

    return local - span_at(zone, guess).offset;
}
