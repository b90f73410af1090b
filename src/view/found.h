/* The rows of an outline that match a search (ROW_MATCHES), as whole things: the row of a table, the item, the section below a heading. */
#pragma once

#include "view/cursors.h"

#define FOUND_SHOWN 5u   /* things in one answer */
#define FOUND_ROOM 1500u /* bytes of them; the first one is shown in any case */

/* Appends the best ones, each below its path, and a cursor to the others. `shown`: how the answer names what was searched for. */
void found_write(struct cursors *cursors, struct outline *c, const char *shown, size_t max, struct str *out);
