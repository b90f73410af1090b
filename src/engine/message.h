/* Messages of the console as both protocols describe them, for the journal. */
#pragma once

#include "base/json.h"
#include "observe/journal.h"

/* The value as an int; 0 if it is no integer or out of range. */
int engine_position(const struct json *v, const char *path);
/*
 * Adds a message to the journal, without its text and time. `type`: the protocol's word for its kind. `place` has url, lineNumber and columnNumber: a
 * stack frame, exception details or a log entry; NULL: not known.
 */
struct observed *engine_add_message(struct journal *j, enum observed_kind kind, const char *session, const char *type,
				    const struct json *place);
