/* The object store that stands in for a cluster in the areas exec, plan and record: a bare sandbox
 * over HTTP, with hooks that let objects change after the first poll. */
#pragma once
#include "conformance/khook_case.h"
#include "kube/client.h"
#include "sandbox/sandbox.h"

struct stand_in;
/* From a case's `cluster` (may be NULL). NULL: the case is wrong, c->why says so. */
struct stand_in *stand_in_start(struct khook_case *c, const struct doc_node *cluster);
void stand_in_stop(struct stand_in *s); /* NULL is fine */
AUTO_PTR(struct stand_in, stand_in_stop)
struct kube *stand_in_kube(struct stand_in *s);
struct sandbox *stand_in_sandbox(struct stand_in *s);
int64_t stand_in_timeout_ms(const struct stand_in *s); /* of an attempt */
/* From now on the time of attempt (borrowed until the next call; NULL: of none) is over as soon as
 * a watch has begun. */
void stand_in_end_watching(struct stand_in *s, struct cancel *attempt);

/* The object of an id ("configmap/c@target") as a document; NULL when it is not there. */
const struct doc_node *stand_in_object(struct stand_in *s, str id);
/* The mutating requests that were answered with success: "create configmap/c@target?QUERY". */
size_t stand_in_write_count(const struct stand_in *s);
str stand_in_write(const struct stand_in *s, size_t at);

/* Tests of the record: the first n updates conflict; the object appears when it is to be created.
 */
void stand_in_conflicts(struct stand_in *s, int count);
void stand_in_race(struct stand_in *s, str object_json);

/* A spec with the one step of the case, and `state:` when asked for. NULL with c->why. */
struct khook_spec *stand_in_spec(struct khook_case *c, bool state);
