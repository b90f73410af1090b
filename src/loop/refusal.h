/*
 * What a server answers in place of what it was asked for: the status, and the beginning of the text that stands in the answer. Text
 * only, without input or output.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define REFUSAL_TEXT_MAX 200

struct refusal {
	bool untrusted;                  /* there is no answer, because TLS with the server failed */
	unsigned status;                 /* 0: no answer */
	unsigned retry_after;            /* seconds; 0: the server does not say */
	char text[REFUSAL_TEXT_MAX + 1]; /* printable ASCII, in one line */
};

/*
 * Reads the answer that begins with the `len` bytes at `answer`, a complete head at least. False: more of the text is to come, and what there
 * is has been read.
 */
bool refusal_read(const char *answer, size_t len, struct refusal *ret);
