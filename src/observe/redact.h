/*
 * Masks text in URLs, headers, bodies and console messages before it enters a journal. The setting is one per process
 * and made before the first event. Its expressions come from the operator, who is trusted, and never from clients: they are POSIX
 * extended and run here, because an event must be masked before anything waits. Those of clients run in the browser
 * (browser/matcher.h).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct redact_settings {
	const char *const *patterns; /* POSIX extended regular expressions whose matches are masked, NULL-terminated; NULL: none */
	bool headers;                /* mask the values of authorization, proxy-authorization, cookie and set-cookie */
};

/* Copies what it needs. A further call replaces the whole setting. */
void redact_configure(const struct redact_settings *settings);
/* Whether `pattern` is a valid expression for redact_configure(). */
bool redact_is_pattern(const char *pattern);
void redact_done(void);

/* Whether there are patterns or secrets (base/mask.h); if not, redact() changes nothing. */
bool redact_active(void);
/* Masks the secrets in `text` and replaces matches of the patterns by "[redacted]". `text` may contain NULs. */
void redact(struct str *text);
/* Whether the whole value of this header (name in lower case) is masked. */
bool redact_is_secret_header(const char *name);
#define REDACTED "[redacted]"
/* What is kept of a text of a page that a person has control of: of an address the scheme and the host, of any other REDACTED_PRIVATELY. */
void redact_privately(struct str *out, const char *text);
#define REDACTED_PRIVATELY "[private]"
