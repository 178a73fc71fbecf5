/* Addresses of Services and Pods, and ports of nodes: handed out in turn, never one that an object
 * has, in this run or in the data file. Called with the sandbox's lock held. */
#pragma once
#include "sandbox/priv.h"

enum { SB_ADDRESS_SIZE = 16 };

/* Writes "10.0.0.7" into text. */
void sb_address_of_service(struct sandbox *sb, char text[SB_ADDRESS_SIZE]);
void sb_address_of_pod(struct sandbox *sb, char text[SB_ADDRESS_SIZE]);
int sb_address_port(struct sandbox *sb); /* 30000 and above */
/* An object is there with those that it names. */
void sb_addresses_take(struct sandbox *sb, const struct sb_res *res, const struct doc_node *object);
/* The state of an object is past: what it named is free. */
void sb_addresses_free(struct sandbox *sb, const struct sb_res *res, const struct sb_obj *object);
/* Does a Service ask for what another one has? Told as the API server does: the first only. old:
 * its state before, or NULL. */
void sb_addresses_check(struct sandbox *sb, const struct sb_res *res, const struct doc_node *now,
                        const struct doc_node *old, struct sb_causes *c);
