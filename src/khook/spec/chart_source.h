/* What a helm block's chart, repo, version and auth say together (khook spec 10.2). Pure; no
 * message shows a password or the userinfo of a URL. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

enum khook_chart_form { KHOOK_CHART_REPO, KHOOK_CHART_OCI, KHOOK_CHART_PATH };

struct khook_chart_source {
    enum khook_chart_form form;
    str ref;     /* name, OCI reference with its inline version, or path; without userinfo */
    str repo;    /* URL without userinfo; KHOOK_CHART_REPO only */
    str version; /* field or inline version of a bare name; empty: newest stable, or inline in ref
                  */
    str username, password; /* decoded; empty: none */
};

struct khook_chart_fields {
    str chart, repo, version;
    bool has_auth;
    str username, password; /* of auth */
};

/* Texts are views into the fields, or copies in the arena. The error names the field. */
int khook_chart_resolve(const struct khook_chart_fields *fields, struct arena *arena,
                        struct khook_chart_source *ret, struct err *e) MUST_CHECK;
/* For people: the path, the OCI reference with its inline version, else "<ref>@<version>" with
 * "latest" for none. */
void khook_chart_display(const struct khook_chart_source *source, struct buf *out);
/* "repo", "oci" or "path". */
const char *khook_chart_form_name(enum khook_chart_form form);
