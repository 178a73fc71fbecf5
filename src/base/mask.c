#include "base/mask.h"

#include "base/vec.h"

struct mask_node {
    uint32_t child, sibling; /* 0: none; the root is nobody's child */
    uint32_t fail;           /* the node of the longest suffix that is a prefix of some pattern */
    uint32_t match;          /* length of the longest pattern that ends here, 0: none */
    unsigned char byte;
};

static uint32_t child_of(const struct mask *m, uint32_t node, unsigned char byte)
{
    uint32_t child;

    if (node == 0)
        return m->roots[byte];
    for (child = m->nodes[node].child; child; child = m->nodes[child].sibling) {
        if (m->nodes[child].byte == byte)
            break;
    }
    return child;
}

static uint32_t node_add(struct mask *m, struct mask_node node)
{
    if (m->len == m->cap) {
        m->cap = MAX(m->cap * 2, (size_t)64);
        m->nodes = mem_realloc(m->nodes, m->cap, sizeof(*m->nodes));
    }
    assert(m->len < UINT32_MAX);
    m->nodes[m->len] = node;
    return (uint32_t)m->len++;
}

static uint32_t child_add(struct mask *m, uint32_t parent, unsigned char byte)
{
    uint32_t child =
        node_add(m, (struct mask_node){.byte = byte, .sibling = m->nodes[parent].child});

    m->nodes[parent].child = child;
    if (parent == 0)
        m->roots[byte] = child;
    return child;
}

void mask_add(struct mask *m, str pattern)
{
    uint32_t node = 0;

    if (pattern.len == 0)
        return;
    if (m->len == 0)
        node_add(m, (struct mask_node){0});
    for (size_t i = 0; i < pattern.len; i++) {
        unsigned char byte = (unsigned char)pattern.p[i];
        uint32_t child = child_of(m, node, byte);

        node = child ? child : child_add(m, node, byte);
    }
    m->nodes[node].match = (uint32_t)pattern.len;
    m->is_complete = false;
}

static uint32_t step(const struct mask *m, uint32_t node, unsigned char byte)
{
    for (;;) {
        uint32_t child = child_of(m, node, byte);

        if (child || node == 0)
            return child;
        node = m->nodes[node].fail;
    }
}

/* Fail links level by level: a node's link is found through its parent's, which is shorter. A match
 * inherited by an earlier completion is never longer than the node's own depth, so it may stay. */
static void complete(struct mask *m)
{
    VEC(uint32_t) order = {0};

    vec_reserve(&order, m->len);
    vec_push(&order, 0);
    for (size_t i = 0; i < order.len; i++) {
        uint32_t parent = order.v[i];

        for (uint32_t c = m->nodes[parent].child; c; c = m->nodes[c].sibling) {
            struct mask_node *node = &m->nodes[c];

            node->fail = parent ? step(m, m->nodes[parent].fail, node->byte) : 0;
            node->match = MAX(node->match, m->nodes[node->fail].match);
            vec_push(&order, c);
        }
    }
    vec_done(&order);
    m->is_complete = true;
}

struct gap {
    size_t begin, end;
};
struct gap_vec {
    struct gap *v;
    size_t len, cap;
};
static void gap_vec_done(struct gap_vec *gaps) { vec_done(gaps); }
AUTO_VALUE(struct gap_vec, gap_vec_done)

/* Ends only grow, so a new gap can swallow none but the last ones. */
static void gap_add(struct gap_vec *gaps, size_t begin, size_t end)
{
    while (gaps->len && vec_last(gaps).end > begin) {
        begin = MIN(begin, vec_last(gaps).begin);
        gaps->len--;
    }
    vec_push(gaps, {begin, end});
}

static void find_gaps(const struct mask *m, str text, struct gap_vec *gaps)
{
    uint32_t node = 0;

    for (size_t i = 0; i < text.len; i++) {
        node = step(m, node, (unsigned char)text.p[i]);
        if (m->nodes[node].match)
            gap_add(gaps, i + 1 - m->nodes[node].match, i + 1);
    }
}

void mask_apply(struct mask *m, str text, struct buf *out)
{
    AUTO(gap_vec_done) struct gap_vec gaps = {0};
    size_t shown = 0;

    if (m->len && !m->is_complete)
        complete(m);
    if (m->len)
        find_gaps(m, text, &gaps);
    for (size_t i = 0; i < gaps.len; i++) {
        buf_add(out, text.p + shown, gaps.v[i].begin - shown);
        buf_add_str(out, STR("***"));
        shown = gaps.v[i].end;
    }
    buf_add(out, text.p + shown, text.len - shown);
}

void mask_done(struct mask *m)
{
    mem_free(m->nodes);
    *m = (struct mask){0};
}

/* Where the authority of the first URL begins. With one slash, too: what a path that was made of a
 * URL has left ("folder/https:/me:password@host"). -1: there is none. */
static ssize_t find_authority(str text)
{
    static const char schemes[][6] = {"http", "https", "ssh", "git"};
    size_t from = 0;
    ssize_t at;

    for (; (at = str_find(str_from(text, from), STR(":/"))) >= 0; from += (size_t)at + 2) {
        str before = str_sub(text, 0, from + (size_t)at), behind = str_from(text, before.len + 2);

        if (behind.len && behind.p[0] == '/')
            return (ssize_t)before.len + 3;
        for (size_t i = 0; i < ARRAY_LEN(schemes); i++)
            if (str_ends(before, str_of(schemes[i])))
                return (ssize_t)before.len + 2;
    }
    return -1;
}

void mask_userinfo(str text, struct buf *out)
{
    static const char ends[] = "/?# \t\r\n\"'<>`";
    ssize_t at;

    while ((at = find_authority(text)) >= 0) {
        size_t begin = (size_t)at, end = begin;

        buf_add_str(out, str_sub(text, 0, begin));
        for (; end < text.len && (!text.p[end] || !strchr(ends, text.p[end])); end++) {
            if (text.p[end] == '@')
                begin = end + 1;
        }
        text = str_from(text, begin);
    }
    buf_add_str(out, text);
}
