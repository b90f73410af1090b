/*
 * Control of a session by a person: while one has it, calls of agents stop at the gate of the session (loop/gate.h), and what the person does
 * in its pages is recorded nowhere. Calls that have begun go on to their next gate: before an input, a step, an operation of code, or the
 * answer. A session under control neither expires nor sleeps, and its pages do not rest.
 *
 * A person is a viewer, by a number that whoever shows the session chooses, and a name for others to read. Nothing here suspends, and nothing
 * checks rights: callers do, before they ask for the session of an owner.
 */
#pragma once

#include "session/session.h"

struct control_state {
	bool taken;
	uint64_t viewer;  /* that has control */
	const char *name; /* of the person, "" if it has none; borrowed until the control changes */
	int64_t since;    /* Unix milliseconds */
	bool agent_acts;  /* a call has not come to a gate yet: input of the person and of the agent may meet */
	unsigned waiting; /* calls that wait in front of the gate, and operations of code */
};

struct control_claim {
	uint64_t viewer;
	const char *name; /* copied, up to LIMIT_VIEWER_NAME bytes; NULL: none */
	bool takes_from;  /* from another person, who may have control */
};

/*
 * 0 also if the viewer has control already. -ERR_SESSION_NOT_FOUND. -EBUSY: another person has control, whom session_control() names. -EAGAIN: the
 * session sleeps or is being created; after session_enter() and session_leave() it is awake.
 */
int session_take_over(struct registry *r, uint64_t owner, const char *id, const struct control_claim *claim);
/* Answers what agents have asked (session/user_request.h) as well. -ERR_SESSION_NOT_FOUND; -EPERM: the viewer does not have control. */
int session_hand_back(struct registry *r, uint64_t owner, const char *id, uint64_t viewer);
/* False: there is no such session. */
bool session_control(const struct registry *r, uint64_t owner, const char *id, struct control_state *ret);
/* Whether this viewer may send input at the moment. Counts as input: control that is not used is handed back (control_settings). */
bool session_control_use(struct registry *r, uint64_t owner, const char *id, uint64_t viewer);
/* The viewer has left, or is back. One that stays away hands back (control_settings). For one without control nothing changes. */
void session_control_presence(struct registry *r, uint64_t owner, const char *id, uint64_t viewer, bool present);

/*
 * Is told of every session whose control or whose requests to a person (session/user_request.h) have changed, and of one that ends with either.
 * Must change neither.
 */
struct control_watcher {
	LIST_ENTRY(control_watcher) link;
	void (*changed)(struct control_watcher *w, uint64_t owner, const char *id);
};
void registry_watch_control(struct registry *r, struct control_watcher *w);
void registry_unwatch_control(struct control_watcher *w);
