/* Texts that are kept for long and seldom read, compressed. */
#pragma once

#include <stddef.h>

#include "base/str.h"

struct packed {
	void *data; /* NULL: nothing is packed */
	size_t len, whole;
};

/* Moves the text into `ret`. False, and the text stays as it is: it would not become shorter. */
bool text_pack(struct str *text, struct packed *ret);
/* Moves it back. */
void text_unpack(struct packed *from, struct str *ret);
void packed_done(struct packed *p);
