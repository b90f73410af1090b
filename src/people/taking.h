/*
 * What a person does in a session besides input (people/input.h): taking over and handing back (session/control.h), answers to what agents ask
 * (session/user_request.h), and dialogs and tabs of its pages. Rights are those of the scope, which is asked for each message; dialogs and tabs
 * need control as well.
 *
 * From the page, with the `key` of the session:
 *
 *	take {from}     takes over; with `from` from another person, too
 *	return          hands back
 *	answer {number, outcome: "done" | "answered" | "declined", text}
 *	dialog {tab, accept, text}   answers the dialog that blocks the tab with that target id
 *	tab {tab}       makes it the current one
 *
 * Nothing here suspends. What has to wait runs in a task, which a viewer that leaves does not end.
 */
#pragma once

#include "app/app.h"
#include "people/scope.h"
#include "people/session_key.h"

struct taking {
	struct loop *loop;
	struct registry *registry;
	const struct scope *scope;
};

/* NULL; or why it was not done, a word for the page: "rights", "gone", "taken", "control", "malformed", "busy". */
const char *taking_message(const struct taking *t, const char *type, const struct session_key *key, const struct json *message);
/* Whether `type` is one of these messages. */
bool taking_knows(const char *type);
/* Why input of the person may not reach the session now: "control", "agent"; NULL: it may. Counts as use of the control. */
const char *taking_refusal(const struct taking *t, const struct session_key *key);
/* A connection of the person has begun, or the last one has ended. */
void taking_presence(const struct taking *t, bool present);

/* Appends the members control and asks of a card. */
void taking_append(struct str *out, const struct registry *r, const struct session_key *key);
/* Whether a person has control, or an agent asks for one. */
bool taking_concerns(const struct registry *r, const struct session_key *key);
