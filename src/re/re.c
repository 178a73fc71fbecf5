#include "re/re_priv.h"

enum { MAX_CAPTURE_BYTES = 64 * 1024 * 1024 };

/* Bytes that every range has inside or outside alike form a class. */
static void mark_ranges(const struct re_prog *prog, bool is_cut[257])
{
    for (size_t i = 0; i < prog->bytes.len; i++)
        is_cut[prog->bytes.v[i].lo] = is_cut[prog->bytes.v[i].hi + 1] = true;
}

static void mark_contexts(bool is_cut[257])
{
    for (int byte = 1; byte < 256; byte++)
        if (re_is_word(byte) != re_is_word(byte - 1) || byte == '\n' || byte == '\n' + 1)
            is_cut[byte] = true;
}

static void find_classes(struct re *re)
{
    bool is_cut[257] = {false};
    unsigned class = 0;

    mark_ranges(&re->forward, is_cut);
    mark_ranges(&re->backward, is_cut);
    if (re->forward.has_asserts)
        mark_contexts(is_cut);
    for (int byte = 0; byte < 256; byte++) {
        class += byte > 0 && is_cut[byte];
        re->byte_class[byte] = (uint8_t) class;
    }
    re->class_count = class + 1;
}

/* The only byte a match can begin with, or -1. */
static int find_first_byte(const struct re_prog *prog)
{
    const struct re_inst *inst = &prog->insts.v[prog->start];

    if (prog->has_asserts || prog->is_anchored)
        return -1;
    while (inst->op == RE_OP_SAVE)
        inst = &prog->insts.v[inst->out];
    if (inst->op != RE_OP_BYTES || inst->other != 1 ||
        prog->bytes.v[inst->out].lo != prog->bytes.v[inst->out].hi)
        return -1;
    return prog->bytes.v[inst->out].lo;
}

static int build(struct re *re, str pattern, unsigned flags, struct err *e)
{
    struct re_tree tree = {0};
    int rc = re_parse(&re->arena, pattern, flags, &tree, e);

    re->names = tree.names;
    if (rc < 0 || re_prog_build(&re->forward, tree.root, &re->arena, false, e) < 0)
        return -1;
    if (re->forward.insts.len * (re->names.len + 1) * 2 * sizeof(ssize_t) > MAX_CAPTURE_BYTES)
        return err_set(e, ERR_LIMIT, "error parsing regexp: expression too large");
    if (re_prog_build(&re->backward, tree.root, &re->arena, true, e) < 0)
        return -1;
    find_classes(re);
    re->first_byte = find_first_byte(&re->forward);
    return 0;
}

struct re *re_compile(str pattern, unsigned flags, struct err *e)
{
    AUTO(re_free) struct re *re = NEW(struct re);

    re->pattern = arena_dup(&re->arena, pattern);
    return build(re, re->pattern, flags, e) == 0 ? TAKE(re) : NULL;
}

static void scratch_free(struct re_scratch *scratch)
{
    if (!scratch)
        return;
    for (int i = 0; i < RE_DFA_MODES; i++)
        re_dfa_free(scratch->dfa[i]);
    mem_free(scratch);
}

void re_free(struct re *re)
{
    if (!re)
        return;
    scratch_free(atomic_load(&re->spare));
    re_prog_done(&re->forward);
    re_prog_done(&re->backward);
    str_vec_done(&re->names);
    arena_done(&re->arena);
    mem_free(re);
}

/* The expression keeps one scratch for whoever comes next; who comes while it is out makes one of
 * his own. */
static struct re_scratch *scratch_take(const struct re *re)
{
    struct re_scratch *scratch = atomic_exchange(&((struct re *)re)->spare, NULL);

    return scratch ? scratch : NEW(struct re_scratch);
}

static void scratch_give(const struct re *re, struct re_scratch *scratch)
{
    scratch_free(atomic_exchange(&((struct re *)re)->spare, scratch));
}

static struct re_dfa *dfa_of(const struct re *re, struct re_scratch *scratch, enum re_dfa_mode mode)
{
    if (!scratch->dfa[mode])
        scratch->dfa[mode] = re_dfa_new(re, mode);
    return scratch->dfa[mode];
}

str re_pattern(const struct re *re) { return re->pattern; }

size_t re_group_count(const struct re *re) { return re->names.len; }

str re_group_name(const struct re *re, size_t group)
{
    return group >= 1 && group <= re->names.len ? re->names.v[group - 1] : STR_NONE;
}

ssize_t re_group_index(const struct re *re, str name)
{
    for (size_t i = 0; i < re->names.len; i++)
        if (name.len && str_eq(re->names.v[i], name))
            return (ssize_t)i + 1;
    return -1;
}

bool re_match(const struct re *re, str text) { return re_find(re, text, 0, NULL, 0); }

bool re_match_full(const struct re *re, str text)
{
    struct re_scratch *scratch = scratch_take(re);
    ssize_t end = re_dfa_run(dfa_of(re, scratch, RE_DFA_FULL), text, 0, 0, false);

    scratch_give(re, scratch);
    return end == (ssize_t)text.len;
}

bool re_find(const struct re *re, str text, size_t from, struct re_span *spans, size_t count)
{
    struct re_scratch *scratch = scratch_take(re);
    ssize_t end = re_dfa_run(dfa_of(re, scratch, RE_DFA_FIRST), text, from, 0, count == 0),
            begin = 0;

    if (end >= 0 && count > 0)
        begin = re_dfa_run(dfa_of(re, scratch, RE_DFA_BACKWARD), text, (size_t)end, from, false);
    scratch_give(re, scratch);
    if (end < 0)
        return false;
    assert(begin >= 0); /* what was found forward is there backward */
    if (count > 1)
        re_capture(re, text, (size_t)begin, (size_t)end, spans, MIN(count, re->names.len + 1));
    else if (count == 1)
        spans[0] = (struct re_span){begin, end};
    for (size_t i = re->names.len + 1; i < count; i++)
        spans[i] = (struct re_span){-1, -1};
    return true;
}

struct re_iter re_find_all(const struct re *re, str text, struct re_span *spans, size_t count)
{
    return (struct re_iter){re, text, spans, count, 0, -1};
}

bool re_next(struct re_iter *it)
{
    while (it->at <= it->text.len && re_find(it->re, it->text, it->at, it->spans, it->count)) {
        struct re_span whole = it->spans[0];
        bool is_empty_after_match = whole.from == whole.to && whole.from == it->last_end;

        if (whole.to ==
            (ssize_t)it->at) { /* an empty match here: go on behind the next code point */
            size_t width = 1;

            if (it->at < it->text.len)
                str_utf8_at(it->text, it->at, &width);
            it->at += width;
        } else {
            it->at = (size_t)whole.to;
        }
        it->last_end = whole.to;
        if (!is_empty_after_match)
            return true;
    }
    return false;
}
