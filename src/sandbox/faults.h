/* Faults on demand: which one is due at a point, and what it does there. These functions take the
 * lock themselves. */
#pragma once
#include "sandbox/priv.h"

/* What is to happen to an answer. */
struct sb_effect {
    bool is_cut;      /* no answer, the connection ends */
    bool is_answered; /* the request was refused before anything was done */
    bool cut_half, cut_end, is_slow;
    int delay_ms;
};

/* Before a request is looked at (lock not held). */
void sb_fault_request(struct sb_req *r, struct sb_effect *f);
/* When its answer was made up. */
void sb_fault_answer(struct sb_req *r, struct sb_effect *f);
bool sb_fault_accept(struct sandbox *sb);
/* /sandbox/faults */
void sb_control(struct sb_req *r);
/* Sends a reply piece by piece. */
void sb_slow_reply(struct sandbox *sb, struct http_call *call, struct http_reply *reply);
