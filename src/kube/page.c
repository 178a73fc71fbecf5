/* Pages of HTML that answer in place of an API server: told by their title or first words. */
#include "kube/client_priv.h"

enum { MAX_WORDS = 80 };

bool kube_is_page(str body) { return str_starts(str_trim(body), STR("<")); }

static void add_text(str text, size_t start, struct buf *out)
{
    str line;

    while (out->len - start < MAX_WORDS && str_next_line(&text, &line)) {
        line = str_trim(line);
        if (line.len && str_is_utf8(line, NULL))
            buf_addf(out, "%s%.*s", out->len > start ? " " : "",
                     STR_ARG(str_sub(line, 0, MAX_WORDS)));
    }
}

static bool is_tag(str tag, str name)
{
    return str_eq_nocase(str_sub(tag, 0, name.len), name) &&
           (tag.len == name.len || tag.p[name.len] == ' ');
}

/* The page's title; without one its text, but for scripts and styles. */
static void add_words(str page, struct buf *out)
{
    size_t start = out->len;

    str_cut(page, '<', &page);
    while (page.p && out->len - start < MAX_WORDS) {
        str tag = str_cut(page, '>', &page), text = str_cut(page, '<', &page);

        if (is_tag(tag, STR("title")) && str_trim(text).len) {
            out->len = start;
            add_text(text, start, out);
            return;
        }
        if (!is_tag(tag, STR("script")) && !is_tag(tag, STR("style")))
            add_text(text, start, out);
    }
}

void kube_page_describe(int status, str body, struct buf *out)
{
    AUTO(buf_done) struct buf words = {0};

    buf_addf(out, "the server answered %d with a page of HTML", status);
    add_words(body, &words);
    if (words.len)
        buf_addf(out, " (\"%s\")", buf_cstr(&words));
    buf_add_cstr(out, "; is this a Kubernetes API server?");
}

int kube_page_error(int status, str body, struct err *e)
{
    AUTO(buf_done) struct buf text = {0};

    kube_page_describe(status, body, &text);
    return err_set(e, ERR_IO, "%s", buf_cstr(&text));
}
