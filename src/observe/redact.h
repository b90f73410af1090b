/*
 * Masking: what of URLs, headers, bodies and console texts no journal is to hold. One setting for the process, made
 * before the first event.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/*
 * `patterns` (NULL-terminated; NULL: none): POSIX extended regular expressions whose matches are masked. `headers`: the
 * values of authorization, proxy-authorization, cookie and set-cookie are masked, too. May be called again, which
 * replaces all.
 */
void redact_configure(const char *const *patterns, bool headers);
/* Is it an expression that redact_configure() takes? */
bool redact_is_pattern(const char *pattern);
void redact_done(void);

/* Are there patterns, or secrets (base/mask.h)? If not, redact() has nothing to do. */
bool redact_active(void);
/* Masks the secrets in `text`, which may hold anything, and replaces what matches a pattern by "[redacted]". */
void redact(struct str *text);
/* Is the value of this header (in lower case) masked as a whole? */
bool redact_is_secret_header(const char *name);
#define REDACTED "[redacted]"
