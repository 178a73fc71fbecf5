/* What is read as a duration of whole milliseconds prints as a text that reads back the same. */
#include "base/duration.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(buf_done) struct buf text = {0};
    int64_t ms, back = 0;

    if (!duration_parse_ms((str){(const char *)data, size}, &ms))
        return 0;
    duration_format_ms(ms, &text);
    assert(duration_parse_ms(buf_view(&text), &back));
    assert(back == ms);
    return 0;
}
