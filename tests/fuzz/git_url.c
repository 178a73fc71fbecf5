/* Input: a git URL, or any text. What is accepted holds nothing that git takes for an option, its
 * folder stays in the repository, and a refusal says why. */
#include "fetch/git_url.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(fetch_git_url_done) struct fetch_git_url url = {0};
    AUTO(err_done) struct err e = {0};
    str path;
    int rc = fetch_git_url_parse((str){(const char *)data, size}, &url, &e);

    if (rc < 0)
        assert(e.text && e.text[0]);
    if (rc <= 0)
        return 0;
    path = buf_view(&url.path);
    assert(e.kind == ERR_NONE && url.timeout_ms > 0);
    assert(url.repository.len && url.repository.p[0] != '-');
    assert(strlen(buf_cstr(&url.repository)) == url.repository.len);
    assert(url.ref.len && url.ref.p[0] != '-' && strlen(buf_cstr(&url.ref)) == url.ref.len);
    assert(path.len && path.p[0] != '/' && !str_eq(path, STR("..")) &&
           !str_starts(path, STR("../")));
    return 0;
}
