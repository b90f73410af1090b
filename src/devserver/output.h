/* A server's output: keeping its end, and finding the URL on which the server listens. Nothing suspends. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define OUTPUT_LINES_REPORTED 10 /* lines of output in an error message */

/* Appends to `s` and removes bytes from its beginning beyond `max`. */
void output_keep_end(struct str *s, const char *text, size_t len, size_t max);
/* The last lines of `text`, a pointer into it. */
const char *output_last_lines(const char *text, unsigned lines);
/* Appends the text without terminal escape sequences. */
void output_plain(struct str *out, const char *text, size_t len);

/* A URL of this machine that a server has printed, such as http://localhost:5173/app */
struct output_address {
	int port;
	bool socket;   /* ws: or wss:, of a debugger for example */
	char url[512]; /* usable by a client on this machine, without the path when it is only "/" */
};
/* Finds the next URL from `*at` (0 at first) on; false at the end. */
bool output_next_address(const char *text, size_t *at, struct output_address *ret);
/* Whether the text reports that an address is in use. `ret_port` gets the port, 0 if it is not named. */
bool output_find_port_in_use(const char *text, int *ret_port);
