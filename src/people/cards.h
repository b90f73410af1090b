/*
 * Cards: what people see of each session at a glance, as JSON text, made once for all viewers. A card gets a new revision whenever its text
 * has changed, so that a viewer sends what is newer than what it has sent. Times in a card are those of beginnings, so that time alone
 * changes nothing. Nothing here suspends.
 *
 * {key, id, title, url, state, engine, tabs, created, calls, dialog, running: [CALL...], last: [CALL...], control, asks: [...]}, where CALL is {n,
 * tool, line, began, ms, outcome, error, step, where}.
 */
#pragma once

#include "app/app.h"
#include "people/calls.h"

struct cards;
struct titles;

struct card {
	const char *json;
	uint64_t revision; /* from 1 */
	bool wants_person; /* an agent asks for one, or a person has control */
};

/* All are borrowed and outlive the cards. */
struct cards *cards_new(struct app *app, const struct calls *calls, const struct titles *titles);
struct cards *cards_free(struct cards *c);
/* Makes the cards of all sessions anew. */
void cards_update(struct cards *c);
/* The highest revision so far. */
uint64_t cards_revision(const struct cards *c);
/* Borrowed until the next update; NULL: the session was not there at the last one. */
const struct card *cards_find(const struct cards *c, uint64_t owner, const char *session);

/* A call as a JSON object. */
void cards_append_call(struct str *out, const struct seen_call *call);
/* The calls of the session that run, as JSON objects with commas. */
void cards_append_running(struct str *out, const struct calls *calls, const struct session *s);
/* "working", "idle", "resting", "sleeping". */
const char *cards_state(const struct session *s);
