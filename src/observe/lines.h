/*
 * Events as the lines that agents read in answers and log files. The format is that of @playwright/mcp, to the letter, but
 * for what lines_configure() adds.
 */
#pragma once

#include "base/str.h"
#include "observe/journal.h"

/*
 * `places`: messages say where they come from with line and column, both counted from 1 as in a stack, and so do uncaught
 * errors whose text has no stack. Once for the process.
 */
void lines_configure(bool places);
/* A message: "[ERROR] text @ url:line", lines from 0; an uncaught error is its text alone. No newline at the end. */
void message_line(struct str *out, const struct observed *e);
/* Before message_line() in a log file: "[      83ms] ", counted from `start` (Unix milliseconds). */
void message_time(struct str *out, const struct observed *e, int64_t start);

/* A request in the list: "2. [GET] url => [200] OK", "=> [FAILED] net::ERR_ABORTED", or no arrow yet. No newline. */
void request_line(struct str *out, const struct journal *j, const struct observed *request);
/* Answered with success, and not by fetch or XMLHttpRequest: the list leaves it out unless it is asked for. */
bool request_is_static(const struct journal *j, const struct observed *request);
/* Everything but the bodies. Ends without a newline. */
void request_details(struct str *out, const struct journal *j, const struct observed *request);
/* "name: value" lines, each behind `indent` and ended by a newline. */
void header_lines(struct str *out, const struct observed_headers *headers, const char *indent);
/* The answer to `request`; NULL when none has come, or it is gone. */
const struct observed *request_response(const struct journal *j, const struct observed *request);
