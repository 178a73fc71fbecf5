/* Credentials of registries in files of docker's form, config.json (helm spec 15):
 *
 *     {"auths": {"HOST": {"auth": base64 of USER:PASSWORD, "identitytoken": "…"}},
 *      "credsStore": "NAME", "credHelpers": {"HOST": "NAME"}}
 *
 * NAME is the program docker-credential-NAME, which is given the host, or what is to be stored, by
 * its standard input. Passwords are in no argument and no message. Blocking; any thread. */
#pragma once
#include "base/buf.h"
#include "base/err.h"
#include "sys/cancel.h"

#define REGISTRY_HUB STR("registry-1.docker.io") /* the machine of docker.io */

struct registry_login {
    struct buf username, password;
    struct buf identity; /* a refresh token in place of both */
    struct buf bearer;   /* a token that is sent as it is */
};
void registry_login_done(struct registry_login *login);
AUTO_VALUE(struct registry_login, registry_login_done)
static inline bool registry_login_is_empty(const struct registry_login *l)
{
    return !l->username.len && !l->password.len && !l->identity.len && !l->bearer.len;
}

/* What the file knows of host ("localhost:5000"); empty when it is not there or knows nothing. A
 * credential program that is missing or fails is warned of in the log: public charts need none.
 * ERR_INVALID for a file that cannot be read as such. *ret must be {0}. */
int registry_login_find(const char *config, str host, struct cancel *cancel,
                        struct registry_login *ret, struct err *e) MUST_CHECK;
/* $DOCKER_CONFIG/config.json or ~/.docker/config.json, appended; nothing without a home. */
void registry_login_docker_config(struct buf *ret_path);
/* Writes what host wants from now on, through the credential program if the file names one. The
 * file and its folder are made, for their owner alone. What else is in the file stays. */
int registry_login_store(const char *config, str host, const struct registry_login *login,
                         struct cancel *cancel, struct err *e) MUST_CHECK;
/* Nothing to be taken out is fine. */
int registry_login_erase(const char *config, str host, struct cancel *cancel,
                         struct err *e) MUST_CHECK;
