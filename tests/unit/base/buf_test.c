#include "base/buf.h"

#include "base/mem.h"
#include "support/test.h"

TEST(a_buffer_that_only_grew_is_an_ended_text)
{
    AUTO(buf_done) struct buf b = {0};

    memset(b.p = mem_alloc(64), 'x', b.cap = 64);
    buf_done(&b);
    buf_grow(&b, 40); /* found by fuzzing UTF-16 whose first character is refused */
    CHECK_INT(b.p[0], 0, "ended");
    CHECK_STR(str_of(buf_cstr(&b)), STR(""), "empty");
}
