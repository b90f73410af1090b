/* What a server prints: keeping the end of it, and finding in it where the server listens. Nothing suspends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define OUTPUT_LINES_REPORTED 10 /* in the text of a failure */

/* Appends, and drops from the front what is above `max` bytes. */
void output_keep_end(struct str *s, const char *text, size_t len, size_t max);
/* The last lines of `text`, a pointer into it. */
const char *output_last_lines(const char *text, unsigned lines);
/* The same text without the escape sequences that colour it for a terminal. */
void output_plain(struct str *out, const char *text, size_t len);

/* An address of this machine that a server has printed: http://localhost:5173/app */
struct output_address {
	int port;
	bool socket;   /* ws: or wss:, of a debugger for example */
	char url[512]; /* as a client on this machine would ask for it, without a lone slash at the end */
};
/* The next one from `*at` (0 at first) on; false at the end. */
bool output_next_address(const char *text, size_t *at, struct output_address *ret);
/* Does it say that an address is in use? `ret_port`: which, 0 when it does not say. */
bool output_find_port_in_use(const char *text, int *ret_port);
