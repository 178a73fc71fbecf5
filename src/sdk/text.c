#include "sdk/sdk_priv.h"

struct gfn_buf {
    struct buf text;
};

static void free_buf(void *p) { buf_done(p); }

gfn_buf *gfn_buf_new(gfn_ctx *ctx)
{
    gfn_buf *b = ARENA_NEW(&ctx->arena, gfn_buf);

    sdk_own(ctx, &b->text, free_buf);
    return b;
}

void gfn_buf_clear(gfn_buf *b) { buf_clear(&b->text); }
void gfn_buf_add(gfn_buf *b, const char *text) { buf_add_cstr(&b->text, text); }
void gfn_buf_add_part(gfn_buf *b, const char *text, size_t len) { buf_add(&b->text, text, len); }
size_t gfn_buf_len(const gfn_buf *b) { return b->text.len; }
const char *gfn_buf_text(const gfn_buf *b) { return buf_cstr(&b->text); }
