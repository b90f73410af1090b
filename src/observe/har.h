/*
 * Writes the requests of a journal as an HTTP archive, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
 * Each hop of a redirect is an entry of its own; a request without a response has status 0 and `_error`.
 */
#pragma once

#include "base/str.h"
#include "observe/excerpt.h"

/* The response body of request `seq`. */
struct har_body {
	uint64_t seq;
	const char *text; /* base64 when `encoded` */
	bool encoded;
	size_t size;      /* of the body, decoded; 0: not known */
	const char *file; /* instead of `text`: the name of a file that has it, written as `_file` */
};

struct har_entry {
	const char *page;            /* its id */
	const struct har_body *body; /* NULL: none */
	const char *more;            /* JSON text of further members, with a comma before each; NULL: none */
	bool minimal;                /* without the page, sizes, addresses and the phases of the time */
};

/* Appends the JSON of the entry of one request. */
void har_append_entry(struct str *out, const struct journal *j, const struct observed *request, const struct har_entry *entry);

/* Appends the members of the archive that say which version it has and what made it: version: ..., creator: ... */
void har_append_head(struct str *out);
/* Appends the JSON of a page, which began at that time (Unix seconds). */
void har_append_page(struct str *out, const char *id, const char *title, double began);
/* Appends the JSON of the archive of the requests in the excerpt. `title`: the page's title. */
void har_write(struct str *out, const struct journal *j, const struct journal_excerpt *v, const char *title,
	       const struct har_body *bodies, size_t body_count);
