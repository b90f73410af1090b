/*
 * Writes events as JSON objects for tools, resources and files: {seq, ts, targetId, sessionId, kind} and the members
 * of the kind. docs/observing.md shows one event of each kind.
 */
#pragma once

#include "base/str.h"
#include "observe/journal.h"

/* Names of the kinds, NULL-terminated: "console", "log", "request"... "other". */
extern const char *const event_kind_table[];
/* The values of enum observed_kind that belong to the named kind, combined with |. 0: unknown name. */
unsigned event_kinds(const char *name);

/* `target_id`: the page or worker whose events the journal holds. Texts longer than `limit` bytes are cut. */
void event_json(struct str *out, const struct journal *j, const struct observed *e, const char *target_id, size_t limit);
