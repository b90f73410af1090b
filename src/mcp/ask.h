/*
 * What calls ask their clients, in both eras. With a handshake a question is a request of ours, and the call waits for
 * the answer. Without one it is the answer of the call's request, `input_required`, with a name for what was asked; the
 * client sends the request again with that name and its answers, and the call begins anew. For the files of this folder.
 */
#pragma once

#include "mcp/connection.h"

struct mcp_call;

/* A request of ours. */
struct ask {
	LIST_ENTRY(ask) link;
	unsigned id;
	struct json *reply; /* NULL: none yet */
};

struct asking {
	LIST_HEAD(, ask) asks;
	/* Modern: */
	struct json *asked;         /* in the round before, by key; NULL: there was none that we know of */
	struct json *earlier;       /* answers of rounds before this one */
	struct str requests;        /* what is to be asked now: members of inputRequests */
	struct str answers;         /* that were used, as members of an object */
	/* The client cannot be asked for this, which the call cannot do without; NULL: nothing is missing. */
	const char *missing;
};

/* Reads what a request that is sent again brings along. False: answered, it is wrong. */
bool asking_begin(struct request *q, struct asking *a);
void asking_done(struct asking *a);
/* A response came, maybe to a request of ours. Takes its root if so. */
void asking_answered(struct request *q);
/* Whether a call that ended with `r` ended with a question, or for want of one: then it was answered. */
bool asking_answer(struct mcp_call *call, int r);

/* ---- ask_state.c: what was asked in answers, by name. Bounded, each good for one retry ---- */

/* Remembers what `a` asked on behalf of `q` and appends its name. False: it is too long to be kept. */
bool ask_state_give(const struct request *q, const struct asking *a, struct str *ret_name);
/* Takes the state of that name out, if it is of the same request of the same owner, and fills `a`. */
bool ask_state_take(const struct request *q, const char *name, struct asking *a);
