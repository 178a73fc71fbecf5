/* Addresses of Services and Pods, and ports of nodes: handed out in turn, never one that an object
 * has, in this run or in the data file. Called with the sandbox's lock held. */
#pragma once
#include "sandbox/priv.h"

enum { SB_ADDRESS_SIZE = 16 };

/* Writes "10.0.0.7" into text. */
void sb_address_of_service(struct sandbox *sb, char text[SB_ADDRESS_SIZE]);
void sb_address_of_pod(struct sandbox *sb, char text[SB_ADDRESS_SIZE]);
int sb_address_port(struct sandbox *sb); /* 30000 and above */
/* An object is there with those that it names, or has gone. */
void sb_addresses_note(struct sandbox *sb, const struct sb_res *res, const struct doc_node *object,
                       bool is_there);
