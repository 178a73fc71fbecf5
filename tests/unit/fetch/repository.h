/* Git repositories for tests, made with the git program in the test's folder, and served over HTTP
 * (plain or TLS, with or without a password) by git http-backend behind our own server. */
#pragma once
#include "base/buf.h"
#include "http/server.h"

/* "shop.git" in the test's folder: branch main with deploy/app.yaml "v2\n" and the kustomization
 * beside it, tag v1 (annotated) where app.yaml is "v1\n". Returns its path; borrowed. */
const char *repository_make(void);
/* Runs a line of shell in the test's folder; its failure fails the test. The output, without line
 * ends after it, is put into out if that is not NULL. */
void repository_shell(const char *line, struct buf *out);
/* The handler of a server: ctx is the folder whose repositories are served. */
void repository_serve(void *ctx, const struct http_server_request *req);
