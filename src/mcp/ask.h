/*
 * Questions that a call asks its client (roots, elicitation, sampling). In legacy versions a question is a JSON-RPC
 * request to the client, and the call waits for the response. In modern versions the call's request is answered with
 * `input_required`, the questions and a state name; the client repeats the request with that name and its answers,
 * and the call starts again. A call that is a task waits: its client reads the questions with the task, and answers with tasks/update.
 * Private to this folder.
 */
#pragma once

#include "base/random.h"
#include "mcp/connection.h"

struct mcp_call;

/* A request that the server sent to the client, or that waits in a task. */
struct ask {
	LIST_ENTRY(ask) link;
	unsigned id;
	enum mcp_feature feature;
	struct json *reply;                 /* NULL: no response yet */
	char elicitation[RANDOM_NAME_SIZE]; /* the id of one with an address */
	/* In a task: */
	char *key;          /* of the request among all that the task ever makes; NULL: the request was sent */
	struct str request; /* as inputRequests has it */
};

struct asking {
	LIST_HEAD(, ask) asks;
	/* Modern: */
	struct json *asked;   /* questions of the previous round, by key; NULL: none known */
	struct json *earlier; /* answers of earlier rounds */
	struct str requests;  /* questions of this round: members of inputRequests */
	struct str answers;   /* answers that the call has used, as members of an object */
	/* A capability that the call requires and the client has not declared; NULL: none. */
	const char *missing;
};

/* Reads answers and state of a repeated request. False: they are invalid and the request has been answered. */
bool asking_begin(struct request *q, struct asking *a);
void asking_done(struct asking *a);
/* Handles a response from the client. Takes ownership of its root if it answers a request of the server. */
void asking_answered(struct request *q);
/*
 * Called when a call has ended with `r`. True: it ended because of a question or a missing capability, and the
 * request has been answered accordingly.
 */
bool asking_answer(struct mcp_call *call, int r);

void ask_free(struct ask *ask);

/* ---- ask_task.c ---- */

/* mcp_call_ask() in a task, for those of the questions that have no answer yet. Suspends. */
int ask_in_task(struct task *t, struct mcp_call *call, struct mcp_question *questions, size_t count, usec_t timeout);

/* mcp_call_begin_ask() and mcp_call_end_ask() in a task. */
struct ask *ask_task_begin(struct mcp_call *call, const struct mcp_question *question);
void ask_task_end(struct mcp_call *call, struct ask *ask);
/* Whether the task has a question without an answer. */
bool ask_task_pending(const struct mcp_call *call);

/* ---- ask_state.c: questions asked in responses, by state name. Bounded; each is valid for one retry ---- */

/* Stores what `a` asked on behalf of `q` and appends its state name to the string. False: too long to store. */
bool ask_state_give(const struct request *q, const struct asking *a, struct str *ret_name);
/* Removes the named state and fills `a` from it, if it belongs to the same request of the same owner. */
bool ask_state_take(const struct request *q, const char *name, struct asking *a);
