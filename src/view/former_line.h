/*
 * A row of the old outline that was one line with all that was in it, and has several lines in the new one. The parts of that line are
 * looked for among the new rows, so that a difference does not call them new. Private to this folder.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct outline;

#define FORMER_PARTS_MAX 100u /* further parts are not looked for */

/* What a new row was in that line. */
enum former_part {
	FORMER_NONE,  /* nothing */
	FORMER_OTHER, /* a part with the same ref and another text */
	FORMER_SAME,  /* a part with the same text */
};

struct former_line {
	const struct outline *outline; /* the old one, borrowed */
	uint32_t row;
	unsigned count, found;
	struct {
		uint32_t at, end;  /* bytes of the row */
		uint32_t ref, len; /* of the first ref in it; a length of 0: it has none */
		bool is_found;
	} parts[FORMER_PARTS_MAX];
};

/* `now`: what the row is in the new outline. A label that both have is no part of the line. */
void former_line_init(struct former_line *l, const struct outline *old, uint32_t row, const struct outline *new, uint32_t now);
/* Each part is found once. */
enum former_part former_line_find(struct former_line *l, const struct outline *new, uint32_t row);
/* Whether nothing of the line is missing among the rows that were looked for. */
bool former_line_is_complete(const struct former_line *l);
