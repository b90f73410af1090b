/*
 * Formats events as lines for responses and log files. The format equals that of @playwright/mcp exactly, except for
 * exact places.
 */
#pragma once

#include "base/display.h"
#include "base/str.h"
#include "observe/journal.h"

/* Playwright's words for the kinds of messages: "log", "warning", "startGroup"... */
const char *message_word(enum message_kind kind);

/* How messages are written. */
struct message_form {
	bool exact; /* messages, and uncaught errors whose text has no stack, end with line and column, both counted from 1 as in a stack */
	enum display_beside beside;
};

/*
 * A message: "[ERROR] text @ url:line" with lines counted from 0; of an uncaught error only the text. No final
 * newline.
 */
void message_line(struct str *out, const struct observed *e, const struct message_form *form);
/* Before message_line() in a log file: "[      83ms] ", counted from `start` (Unix milliseconds). */
void message_time(struct str *out, const struct observed *e, int64_t start);

/* A request in the list: "2. [GET] url => [200] OK", "=> [FAILED] net::ERR_ABORTED", or no arrow yet. No newline. */
void request_line(struct str *out, const struct journal *j, const struct observed *request);
/*
 * Whether the request succeeded and was made by neither fetch nor XMLHttpRequest. The list omits such requests by
 * default.
 */
bool request_is_static(const struct journal *j, const struct observed *request);
/* Whether there is a response that can have a body. */
bool request_may_have_response_body(const struct journal *j, const struct observed *request);
/* Everything except the bodies. No final newline. */
void request_details(struct str *out, const struct journal *j, const struct observed *request);
/* "name: value" lines, each preceded by `indent` and followed by a newline. */
void header_lines(struct str *out, const struct observed_headers *headers, const char *indent);
/* The response to `request`; NULL if there is none yet or it was dropped. */
const struct observed *request_response(const struct journal *j, const struct observed *request);
