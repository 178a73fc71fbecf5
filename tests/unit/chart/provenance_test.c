#include "chart/provenance.h"

#include "chart/gpg_priv.h"
#include "support/test.h"
#include "sys/file.h"
#include "sys/proc.h"
#include "unit/chart/tgz.h"

#define GNUPG(line) "[GNUPG:] " line "\n"
#define GOOD                \
    GNUPG("PLAINTEXT 74 0") \
    GNUPG("NEWSIG")         \
    GNUPG("GOODSIG AB Ann%20S <a@x.org>") GNUPG("VALIDSIG CD 2026-01-01 1 0 4 0 1 10 01 EF")

TEST(provenance_status_lines_are_judged_strictly)
{
    static const struct {
        const char *lines, *why;
    } rows[] = {
        {GOOD, NULL},
        {"gpgv: noise [GNUPG:] BADSIG\n" GOOD, NULL},
        {"", "no single good signature"},
        {GOOD GOOD, "no single good signature"},
        {GNUPG("PLAINTEXT 74 0") GOOD, "no single good signature"},
        {GNUPG("NEWSIG") GOOD, "no single good signature"},
        {GOOD GNUPG("NO_PUBKEY AB"), "unknown entity"},
        {GOOD GNUPG("EXPKEYSIG AB Ann"), "key expired"},
        {GOOD GNUPG("REVKEYSIG AB Ann"), "key revoked"},
        {GNUPG("PLAINTEXT 74 0") GNUPG("NEWSIG") GNUPG("BADSIG AB Ann"), "invalid signature"},
        {GNUPG("PLAINTEXT 74 0") GNUPG("NEWSIG") GNUPG("GOODSIG AB Ann"), "no single good"},
    };

    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        AUTO(err_done) struct err e = {0};
        AUTO(gpg_signature_done) struct gpg_signature got = {0};
        int rc = gpg_status_judge(str_of(rows[i].lines), &got, &e);

        CHECK_INT(rc, rows[i].why ? -1 : 0, rows[i].lines);
        if (rows[i].why)
            CHECK(str_contains(str_of(err_text(&e)), str_of(rows[i].why)));
        else
            CHECK_STR(buf_view(&got.user), STR("Ann S <a@x.org>"), rows[i].lines);
    }
}

static bool gpg(const char *const *argv)
{
    AUTO(err_done) struct err e = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    struct proc_spec spec = {.argv = argv};

    return proc_run(&spec, &result, &e) == 0 && result.exit_code == 0;
}

/* A key of its own in a home of its own: its public and secret part as files. False where there is
 * no gpg. */
static bool make_keys(const char *dir, const char *public_file, const char *secret_file)
{
    const char *make[] = {"gpg",
                          "--homedir",
                          dir,
                          "--batch",
                          "--passphrase",
                          "open sesame",
                          "--pinentry-mode",
                          "loopback",
                          "--quick-gen-key",
                          "Test Signer <signer@example.org>",
                          "ed25519",
                          "sign",
                          "0",
                          NULL};
    const char *export[] = {"gpg",      "--homedir", dir,        "--batch",
                            "--output", public_file, "--export", NULL};
    const char *secret[] = {"gpg",
                            "--homedir",
                            dir,
                            "--batch",
                            "--passphrase",
                            "open sesame",
                            "--pinentry-mode",
                            "loopback",
                            "--output",
                            secret_file,
                            "--export-secret-keys",
                            NULL};
    const char *stop[] = {"gpgconf", "--homedir", dir, "--kill", "gpg-agent", NULL};
    bool ok = gpg(make) && gpg(export) && gpg(secret);

    return gpg(stop) && ok;
}

struct keys {
    struct buf dir, open, secret, archive_path, prov_path;
};

static void keys_done(struct keys *k)
{
    AUTO(err_done) struct err ignored = {0};

    if (k->dir.len && file_remove_tree(buf_cstr(&k->dir), &ignored) < 0)
        err_done(&ignored);
    buf_done(&k->dir);
    buf_done(&k->open);
    buf_done(&k->secret);
    buf_done(&k->archive_path);
    buf_done(&k->prov_path);
}
AUTO_VALUE(struct keys, keys_done)

static void write_file(const struct buf *path, str text)
{
    AUTO(err_done) struct err e = {0};

    CHECK(file_replace(buf_cstr(path), text, NULL, &e) == 0);
}

/* The home lies in /tmp: the agent's socket has little room for a path. */
static bool prepare(struct keys *k)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf conf = {0};

    CHECK(file_temp_dir("gnupg", &k->dir, &e) == 0);
    buf_addf(&conf, "%s/gpg-agent.conf", buf_cstr(&k->dir));
    write_file(&conf, STR("s2k-count 65536\n")); /* else it measures for seconds */
    buf_addf(&k->open, "%s/public.gpg", test_tmp());
    buf_addf(&k->secret, "%s/secret.gpg", test_tmp());
    buf_addf(&k->archive_path, "%s/web-1.0.0.tgz", test_tmp());
    buf_addf(&k->prov_path, "%s/web-1.0.0.tgz.prov", test_tmp());
    return make_keys(buf_cstr(&k->dir), buf_cstr(&k->open), buf_cstr(&k->secret));
}

static void check_sign(const struct keys *k, str archive, const char *key, const char *passphrase,
                       const char *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf prov = {0};
    struct chart_signer signer = {.key = key,
                                  .keyring = buf_cstr(&k->secret),
                                  .passphrase = str_of(passphrase),
                                  .has_passphrase = true};

    CHECK(chart_sign(archive, STR("web-1.0.0.tgz"), &signer, &prov, &e) < 0);
    if (!str_contains(str_of(err_text(&e)), str_of(why)))
        test_fail(__FILE__, __LINE__, "\"%s\" has no \"%s\"", err_text(&e), why);
    CHECK(!str_contains(str_of(err_text(&e)), str_of("sesame")));
}

static void check_verify_by(const struct keys *k, const struct buf *ring, const char *why)
{
    AUTO(err_done) struct err e = {0};
    AUTO(buf_done) struct buf report = {0};
    int rc = chart_verify_file(buf_cstr(&k->archive_path), buf_cstr(ring), &report, &e);

    CHECK_INT(rc, why ? -1 : 0, why ? why : "good");
    if (why && !str_contains(str_of(err_text(&e)), str_of(why)))
        test_fail(__FILE__, __LINE__, "\"%s\" has no \"%s\"", err_text(&e), why);
    if (!why)
        CHECK(str_starts(buf_view(&report), STR("Signed by: Test Signer <signer@example.org>\n"
                                                "Using Key With Fingerprint: ")));
}

static void check_verify(const struct keys *k, const char *why)
{
    check_verify_by(k, &k->open, why);
}

TEST(provenance_holds_for_the_archive_that_was_signed_alone)
{
    AUTO(keys_done) struct keys k = {0};
    AUTO(buf_done) struct buf archive = {0}, other = {0}, prov = {0};
    AUTO(err_done) struct err e = {0};
    struct chart_signer signer = {
        .key = "signer@example.org", .passphrase = STR("open sesame"), .has_passphrase = true};

    if (!prepare(&k)) {
        const char *version[] = {"gpg", "--version", NULL};

        CHECK(!gpg(version)); /* only without gpg */
        return;
    }
    tgz_make_chart("web", "1.0.0", &archive);
    tgz_make_chart("web", "1.0.1", &other);
    signer.keyring = buf_cstr(&k.secret);
    CHECK(chart_sign(buf_view(&archive), STR("web-1.0.0.tgz"), &signer, &prov, &e) == 0);
    CHECK_OK(&e);
    check_verify(&k, "no such file");
    write_file(&k.archive_path, buf_view(&archive));
    check_verify(&k, "could not load provenance file");
    write_file(&k.prov_path, buf_view(&prov));
    check_verify(&k, NULL);
    check_verify_by(&k, &k.secret, NULL); /* a ring of secret keys has the public ones in it */
    write_file(&k.archive_path, buf_view(&other));
    check_verify(&k, "sha256 sum does not match for web-1.0.0.tgz");
    write_file(&k.prov_path, STR("files: {}\n"));
    check_verify(&k, "signature block not found");
    prov.p[str_find(buf_view(&prov), STR("1.0.0"))] = '9';
    write_file(&k.prov_path, buf_view(&prov));
    check_verify(&k, "invalid signature");
    check_sign(&k, buf_view(&archive), "nobody@example.org", "open sesame",
               "private key not found");
    check_sign(&k, buf_view(&archive), "signer@example.org", "wrong", "passphrase");
    check_sign(&k, buf_view(&archive), "", "", "a key is needed");
}
