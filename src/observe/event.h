/*
 * Events as JSON objects, for tools, resources and files: {seq, ts, targetId, sessionId, kind} and what belongs to the
 * kind. README.md shows one of each.
 */
#pragma once

#include "base/str.h"
#include "observe/journal.h"

/* Names of the kinds, NULL-terminated: "console", "log", "request"... "other". */
extern const char *const event_kind_table[];
/* The events of that kind as enum observed_kind, or-ed; never 0. 0: there is no such name. */
unsigned event_kinds(const char *name);

/* `target_id`: of the page or worker that the journal is about. */
void event_json(struct str *out, const struct journal *j, const struct observed *e, const char *target_id);
