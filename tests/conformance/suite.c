#include "conformance/suite_priv.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "doc/parse.h"

void suite_log(struct suite *s, const char *id, const char *fmt, va_list args)
{
    AUTO(buf_done) struct buf line = {0};

    buf_addf(&line, "%s%s%s: ", s->tally->tables[s->tally->current].name,
             s->tally->tables[s->tally->current].name[0] ? "/" : "", id);
    buf_addv(&line, fmt, args);
    buf_add_char(&line, '\n');
    if (write(s->log, line.p, line.len) < 0)
        perror("conformance log");
}

void suite_count(struct suite *s, bool passed)
{
    struct suite_table *t = &s->tally->tables[s->tally->current];

    t->passed += passed;
    t->failed += !passed;
    s->tally->in_case = false;
}

void suite_table(struct suite *s, const char *table)
{
    struct suite_tally *t = s->tally;

    for (t->current = 0; t->current < t->table_count; t->current++)
        if (strcmp(t->tables[t->current].name, table) == 0)
            return;
    assert(t->table_count < SUITE_MAX_TABLES);
    t->table_count++;
    snprintf(t->tables[t->current].name, sizeof(t->tables[0].name), "%s", table);
}

bool suite_begin(struct suite *s, str id)
{
    assert(!s->tally->in_case); /* every case that began must end */
    if (s->only && !str_contains(id, str_of(s->only)))
        return false;
    if (s->seen++ < s->skip)
        return false;
    if (!s->tally->table_count)
        suite_table(s, "");
    snprintf(s->tally->id, sizeof(s->tally->id), "%.*s", STR_ARG(id));
    s->tally->begun++;
    s->tally->in_case = true;
    alarm(s->limit_s);
    return true;
}

void suite_end(struct suite *s, bool passed, const char *why, ...)
{
    assert(s->tally->in_case);
    alarm(0);
    if (!passed) {
        va_list args;

        va_start(args, why);
        suite_log(s, s->tally->id, why, args);
        va_end(args);
    }
    suite_count(s, passed);
}

void suite_case(struct suite *s, str id, bool passed, const char *why)
{
    if (suite_begin(s, id))
        suite_end(s, passed, "%s", why ? why : "");
}

__attribute__((noreturn)) void suite_abort(struct suite *s, const char *why, ...)
{
    va_list args;

    va_start(args, why);
    suite_log(s, "(suite)", why, args);
    va_end(args);
    _exit(SUITE_ABORTED);
}

struct doc_set *suite_set(struct suite *s)
{
    if (!s->set)
        s->set = doc_set_new();
    return s->set;
}

const char *suite_program(struct suite *s) { return s->program; }

const char *suite_path(struct suite *s, const char *file)
{
    return arena_printf(&suite_set(s)->arena, "%s/%s", s->folder, file).p;
}

bool suite_has(struct suite *s, const char *file) { return access(suite_path(s, file), R_OK) == 0; }

str suite_text(struct suite *s, const char *file)
{
    AUTO(buf_done) struct buf text = {0};
    FILE *f = fopen(suite_path(s, file), "re");
    char block[65536];
    size_t n;

    if (!f)
        suite_abort(s, "cannot read %s", file);
    while ((n = fread(block, 1, sizeof(block), f)) > 0)
        buf_add(&text, block, n);
    fclose(f);
    return arena_dup(&suite_set(s)->arena, buf_view(&text));
}

struct doc_node *suite_json(struct suite *s, const char *file)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse_json_view(suite_set(s), suite_text(s, file), file, &e);

    if (!n)
        suite_abort(s, "cannot parse: %s", err_text(&e));
    return n;
}

struct doc_node *suite_yaml(struct suite *s, const char *file)
{
    AUTO(err_done) struct err e = {0};
    struct doc_node *n = doc_parse(suite_set(s), suite_text(s, file), DOC_VALUES, file, &e);

    if (!n)
        suite_abort(s, "cannot parse: %s", err_text(&e));
    return n;
}

static int by_name(const void *a, const void *b)
{
    return str_cmp(*(const str *)a, *(const str *)b);
}

struct str_vec suite_list(struct suite *s, const char *folder, const char *suffix)
{
    struct str_vec names = {0};
    DIR *d = opendir(suite_path(s, folder));
    struct dirent *entry;

    if (!d)
        suite_abort(s, "cannot list %s", folder);
    while ((entry = readdir(d)))
        if (entry->d_name[0] != '.' && str_ends(str_of(entry->d_name), str_of(suffix)))
            vec_push(&names, arena_dup(&suite_set(s)->arena, str_of(entry->d_name)));
    closedir(d);
    vec_sort(&names, by_name);
    return names;
}
