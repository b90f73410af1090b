/*
 * Texts of pages and clients as people see them: without secrets and what the operator redacts (observe/redact.h), on one line, without
 * characters that act on what stands around them (base/display.h), and short.
 */
#pragma once

#include "base/str.h"

#define SHOWN_DOTS "…"
/* The text up to `max` bytes, and dots if there is more. Secrets are looked for in the first LIMIT_SHOWN_MASKED bytes. */
void shown_text(struct str *out, const char *text, size_t max);
/* The same of a text of several lines, all of whose part that is shown is searched. */
void shown_lines(struct str *out, const char *text, size_t max);
/* The same of a text that is masked already, such as one of a journal. May have several lines. */
void shown_clip(struct str *out, const char *text, size_t max);
/*
 * An address without what may be secret in it: user and password, query and fragment. Of "data:" and the like, whose whole address is
 * contents, the scheme.
 */
void shown_address(struct str *out, const char *url);
