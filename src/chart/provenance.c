#include "chart/provenance.h"

#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/gpg_priv.h"
#include "doc/emit.h"
#include "doc/parse.h"
#include "sys/file.h"

enum { MAX_PROV = 1 << 20 };

static str base_name(const char *path)
{
    str text = str_of(path);

    return str_from(text, (size_t)(str_rfind_char(text, '/') + 1));
}

/* The digest that the signed text has for a file; empty: none. */
static str signed_digest(struct doc_set *set, str text, str name, struct err *e)
{
    ssize_t at = str_find(text, STR("\n...\n"));
    struct doc_node *root;

    if (at < 0) {
        err_set(e, ERR_INVALID, "the signed text does not name files");
        return STR_NONE;
    }
    root = doc_parse(set, str_from(text, (size_t)at + 5), DOC_VALUES, "provenance", e);
    return doc_string(doc_get(doc_get_lit(root, "files"), name), STR_NONE);
}

static int check_digest(str archive, str name, str text, struct buf *ret_digest, struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    str want = signed_digest(set, text, name, e);

    if (e->kind != ERR_NONE)
        return -1;
    if (!want.len)
        return err_set(e, ERR_DENIED, "provenance does not contain a SHA for a file named \"%.*s\"",
                       STR_ARG(name));
    sha256_digest(archive, ret_digest);
    if (str_eq(want, buf_view(ret_digest)))
        return 0;
    return err_set(e, ERR_DENIED, "sha256 sum does not match for %.*s: \"%.*s\" != \"%s\"",
                   STR_ARG(name), STR_ARG(str_sub(want, 0, 100)), buf_cstr(ret_digest));
}

int chart_verify(str archive, str name, str prov, const char *keyring, struct buf *ret_report,
                 struct err *e)
{
    AUTO(gpg_signature_done) struct gpg_signature signature = {0};
    AUTO(buf_done) struct buf digest = {0};

    if (!keyring || !file_exists(keyring))
        return err_set(e, ERR_NOT_FOUND, "failed to load keyring: %s: no such file",
                       keyring ? keyring : "none");
    if (!str_contains(prov, STR("-----BEGIN PGP SIGNED MESSAGE-----")))
        return err_set(e, ERR_DENIED, "signature block not found");
    if (gpg_verify(prov, keyring, &signature, e) < 0 ||
        check_digest(archive, name, buf_view(&signature.text), &digest, e) < 0)
        return -1;
    if (ret_report)
        buf_addf(ret_report,
                 "Signed by: %s\nUsing Key With Fingerprint: %s\nChart Hash Verified: %s\n",
                 buf_cstr(&signature.user), buf_cstr(&signature.fingerprint), buf_cstr(&digest));
    return 0;
}

int chart_verify_file(const char *path, const char *keyring, struct buf *ret_report, struct err *e)
{
    AUTO(buf_done) struct buf archive = {0}, prov = {0}, prov_path = {0};

    buf_addf(&prov_path, "%s.prov", path);
    if (!file_exists(path))
        return err_set(e, ERR_NOT_FOUND, "%s: no such file", path);
    if (file_is_dir(path))
        return err_set(e, ERR_INVALID, "unpacked charts cannot be verified");
    if (!file_exists(buf_cstr(&prov_path)))
        return err_set(e, ERR_NOT_FOUND, "could not load provenance file %s: no such file",
                       buf_cstr(&prov_path));
    if (file_read(path, CHART_MAX_BYTES, &archive, e) < 0 ||
        file_read(buf_cstr(&prov_path), MAX_PROV, &prov, e) < 0)
        return -1;
    return chart_verify(buf_view(&archive), base_name(path), buf_view(&prov), keyring, ret_report,
                        e);
}

int chart_sign(str archive, str name, const struct chart_signer *signer, struct buf *ret,
               struct err *e)
{
    AUTO(doc_set_free) struct doc_set *set = doc_set_new();
    AUTO(buf_done) struct buf text = {0}, digest = {0};
    struct doc_node *files = doc_new_map(set);
    struct chart *c;

    if (!signer->key || !signer->key[0])
        return err_set(e, ERR_USAGE, "a key is needed to sign with");
    c = chart_load_bytes(set, archive, e);
    if (!c)
        return -1;
    sha256_digest(archive, &digest);
    doc_set_string(set, doc_ensure_map(set, files, STR("files")), name, buf_view(&digest));
    doc_emit(chart_metadata_json(set, c), DOC_EMIT_SORTED, &text);
    buf_add_cstr(&text, "\n...\n");
    doc_emit(files, DOC_EMIT_SORTED, &text);
    return gpg_sign(buf_view(&text), signer, ret, e);
}
