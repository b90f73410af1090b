/*
 * The requests of a journal as an HTTP archive, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), for tools that
 * read such files. Every hop of a redirect is an entry; requests without an answer have status 0 and `_error`.
 */
#pragma once

#include "base/str.h"
#include "observe/journal.h"

/* The body of the answer to request `seq`. */
struct har_body {
	uint64_t seq;
	const char *text; /* base64 when `encoded` */
	bool encoded;
};

/* The JSON of the whole archive. `end`: number after the last event that counts. `title`: of the page. */
void har_write(struct str *out, const struct journal *j, uint64_t end, const char *title, const struct har_body *bodies,
	       size_t body_count);
