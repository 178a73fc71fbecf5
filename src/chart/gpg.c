#include "chart/gpg_priv.h"
#include "http/url.h"
#include "sys/file.h"
#include "sys/proc.h"

enum { MAX_TEXT = 4 << 20, PROGRAM_MS = 60000 };

void gpg_signature_done(struct gpg_signature *s)
{
    buf_done(&s->text);
    buf_done(&s->user);
    buf_done(&s->fingerprint);
    *s = (struct gpg_signature){0};
}

/* ---- what the programs report (GnuPG's doc/DETAILS, "Format of the --status-fd output") */

struct status {
    int texts, signatures, good, valid;
    str user, fingerprint; /* views */
    const char *problem;
};

static const struct {
    char keyword[19], problem[68];
} problems[] = {
    {"NO_PUBKEY", "openpgp: signature made by unknown entity"},
    {"BADSIG", "openpgp: invalid signature: the text is not the one that was signed"},
    {"EXPKEYSIG", "openpgp: key expired"},
    {"EXPSIG", "openpgp: signature expired"},
    {"REVKEYSIG", "openpgp: key revoked"},
    {"INV_SGNR", "private key not found"},
    {"BAD_PASSPHRASE", "the passphrase of the key is wrong"},
    {"MISSING_PASSPHRASE", "the key needs a passphrase"},
};

static void read_line(str line, struct status *status)
{
    str rest, word;

    if (!str_drop_prefix(&line, STR("[GNUPG:] ")))
        return;
    word = str_cut(line, ' ', &rest);
    if (str_eq(word, STR("PLAINTEXT"))) {
        status->texts++;
    } else if (str_eq(word, STR("NEWSIG"))) {
        status->signatures++;
    } else if (str_eq(word, STR("GOODSIG"))) {
        status->good++;
        str_cut(rest, ' ', &status->user);
    } else if (str_eq(word, STR("VALIDSIG"))) {
        status->valid++;
        status->fingerprint = str_from(rest, (size_t)(str_rfind_char(rest, ' ') + 1));
    }
    for (size_t i = 0; i < ARRAY_LEN(problems) && !status->problem; i++)
        if (str_eq(word, str_of(problems[i].keyword)))
            status->problem = problems[i].problem;
}

static struct status read_status(str lines)
{
    struct status status = {0};
    str line;

    while (str_next_line(&lines, &line))
        read_line(line, &status);
    return status;
}

/* More than one text or signature is refused: which of them was good would be a guess. */
int gpg_status_judge(str lines, struct gpg_signature *ret, struct err *e)
{
    struct status status = read_status(lines);

    if (status.problem)
        return err_set(e, ERR_DENIED, "%s", status.problem);
    if (status.texts != 1 || status.signatures != 1 || status.good != 1 || status.valid != 1 ||
        !status.fingerprint.len)
        return err_set(e, ERR_DENIED, "openpgp: no single good signature");
    if (!http_url_decode(status.user, &ret->user)) {
        buf_clear(&ret->user);
        buf_add_str(&ret->user, status.user);
    }
    buf_add_str(&ret->fingerprint, status.fingerprint);
    return 0;
}

/* ---- running them */

static int run(const char *const *argv, str input, bool has_terminal, struct cancel *cancel,
               struct proc_result *ret, struct err *e)
{
    AUTO(cancel_free) struct cancel *limit = cancel_new(cancel, clock_after(PROGRAM_MS));
    struct proc_spec spec = {.argv = argv,
                             .input = input,
                             .has_terminal = has_terminal,
                             .output_limit = MAX_TEXT,
                             .cancel = has_terminal ? cancel : limit};

    if (proc_run(&spec, ret, e) == 0)
        return 0;
    return err_wrap(e, "%s is needed for signatures", argv[0]);
}

/* gpgv takes a name without a slash for one in its own folder. */
static void add_path(const char *path, struct buf *out)
{
    if (!strchr(path, '/'))
        buf_add_cstr(out, "./");
    buf_add_cstr(out, path);
}

static str last_line(str text)
{
    text = str_trim(text);
    return str_from(text, (size_t)(str_rfind_char(text, '\n') + 1));
}

/* ---- homes */

/* A home of gpg for one signature: the keys of a file, and the agent that gpg starts for it. */
struct home {
    struct buf path;
};

static void home_done(struct home *home)
{
    AUTO(err_done) struct err ignored = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    const char *argv[] = {"gpgconf", "--homedir", buf_cstr(&home->path),
                          "--kill",  "gpg-agent", NULL};

    if (!home->path.len)
        return;
    if (run(argv, STR_NONE, false, NULL, &result, &ignored) < 0)
        err_done(&ignored); /* the agent ends by itself when its folder is gone */
    if (file_remove_tree(buf_cstr(&home->path), &ignored) < 0)
        err_done(&ignored);
    buf_done(&home->path);
}
AUTO_VALUE(struct home, home_done)

static int open_home(struct home *home, const char *keyring, struct cancel *cancel, struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf ring = {0};
    const char *argv[] = {"gpg",          "--homedir", NULL, "--batch",
                          "--no-options", "--import",  NULL, NULL};

    if (!file_exists(keyring))
        return err_set(e, ERR_NOT_FOUND, "failed to load keyring: %s: no such file", keyring);
    if (file_temp_dir("grapnel-gpg", &home->path, e) < 0)
        return -1;
    add_path(keyring, &ring);
    argv[2] = buf_cstr(&home->path);
    argv[6] = buf_cstr(&ring);
    if (run(argv, STR_NONE, false, cancel, &result, e) < 0)
        return -1;
    if (result.exit_code)
        return err_set(e, ERR_INVALID, "failed to load keyring: %s: %.*s", keyring,
                       STR_ARG(last_line(buf_view(&result.err))));
    return 0;
}

/* ---- verifying */

/* gpgv reads rings of public keys alone, as gpg exports them. */
static bool has_secret_keys(const char *keyring)
{
    enum { MAX_RING = 64 << 20, SECRET_KEY = 5 /* RFC 4880, 4.3 */ };
    AUTO(buf_done) struct buf ring = {0};
    AUTO(err_done) struct err ignored = {0};
    unsigned char first;

    if (file_read(keyring, MAX_RING, &ring, &ignored) < 0 || !ring.len)
        return false;
    first = (unsigned char)ring.p[0];
    return (first & 0x40 ? first & 0x3f : (first >> 2) & 0xf) == SECRET_KEY && first & 0x80;
}

static int export_public(struct home *home, const char *keyring, struct buf *ret_path,
                         struct err *e)
{
    AUTO(proc_result_done) struct proc_result result = {0};
    const char *argv[] = {"gpg",      "--homedir", NULL,       "--batch", "--no-options",
                          "--output", NULL,        "--export", NULL};

    if (open_home(home, keyring, NULL, e) < 0)
        return -1;
    buf_addf(ret_path, "%s/public", buf_cstr(&home->path));
    argv[2] = buf_cstr(&home->path);
    argv[6] = buf_cstr(ret_path);
    if (run(argv, STR_NONE, false, NULL, &result, e) < 0)
        return -1;
    return result.exit_code ? err_set(e, ERR_INVALID, "failed to load keyring: %s", keyring) : 0;
}

int gpg_verify(str text, const char *keyring, struct gpg_signature *ret, struct err *e)
{
    AUTO(home_done) struct home home = {0};
    AUTO(buf_done) struct buf ring = {0};
    AUTO(proc_result_done) struct proc_result result = {0};
    const char *argv[] = {"gpgv", "--status-fd", "2", "--output", "-", "--keyring", NULL, NULL};

    if (!has_secret_keys(keyring))
        add_path(keyring, &ring);
    else if (export_public(&home, keyring, &ring, e) < 0)
        return -1;
    argv[6] = buf_cstr(&ring);
    if (run(argv, text, false, NULL, &result, e) < 0 ||
        gpg_status_judge(buf_view(&result.err), ret, e) < 0)
        return -1;
    if (result.exit_code)
        return err_set(e, ERR_DENIED, "%.*s", STR_ARG(last_line(buf_view(&result.err))));
    buf_add_str(&ret->text, buf_view(&result.out));
    return 0;
}

/* ---- signing */

static int refused(const struct proc_result *result, struct err *e)
{
    struct status status = read_status(buf_view(&result->err));

    if (status.problem)
        return err_set(e, ERR_DENIED, "%s", status.problem);
    return err_set(e, ERR_DENIED, "gpg cannot sign: %.*s",
                   STR_ARG(last_line(buf_view(&result->err))));
}

struct words {
    const char *v[32];
    size_t len;
};

static void add_words(struct words *words, const char *const *more)
{
    for (; *more && words->len + 1 < ARRAY_LEN(words->v); more++)
        words->v[words->len++] = *more;
}

/* The text goes through a file: standard input is the passphrase's. */
static int sign_in(const char *home, const char *file, const struct chart_signer *signer,
                   struct buf *ret, struct err *e)
{
    const char *const its_home[] = {"--homedir", home, "--no-options", NULL};
    const char *const told[] = {"--batch",  "--status-fd",     "2", "--pinentry-mode",
                                "loopback", "--passphrase-fd", "0", NULL};
    const char *const rest[] = {
        "--digest-algo", "SHA512", "--local-user", signer->key, "--clearsign",
        "--output",      "-",      file,           NULL};
    bool asks = !signer->has_passphrase && !home;
    struct words argv = {{"gpg"}, 1};
    AUTO(proc_result_done) struct proc_result result = {0};
    AUTO(buf_done) struct buf passphrase = {0};

    if (home)
        add_words(&argv, its_home);
    if (!asks)
        add_words(&argv, told);
    add_words(&argv, rest);
    buf_addf(&passphrase, "%.*s\n", STR_ARG(signer->passphrase));
    if (run(argv.v, asks ? STR_NONE : buf_view(&passphrase), asks, signer->cancel, &result, e) < 0)
        return -1;
    if (result.exit_code)
        return refused(&result, e);
    buf_add_str(ret, buf_view(&result.out));
    return 0;
}

int gpg_sign(str text, const struct chart_signer *signer, struct buf *ret, struct err *e)
{
    AUTO(home_done) struct home home = {0};
    AUTO(buf_done) struct buf dir = {0}, file = {0};
    AUTO(err_done) struct err ignored = {0};
    int rc;

    if (signer->keyring && open_home(&home, signer->keyring, signer->cancel, e) < 0)
        return -1;
    if (file_temp_dir("grapnel-sign", &dir, e) < 0)
        return -1;
    buf_addf(&file, "%s/text", buf_cstr(&dir));
    rc = file_replace(buf_cstr(&file), text, NULL, e);
    if (rc == 0)
        rc = sign_in(home.path.len ? buf_cstr(&home.path) : NULL, buf_cstr(&file), signer, ret, e);
    if (file_remove_tree(buf_cstr(&dir), &ignored) < 0 && rc == 0)
        err_move(e, &ignored);
    return rc;
}
