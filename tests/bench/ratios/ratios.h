/*
 * Rows of the benchmark of ratios: a function that gets what a page, a browser or a client chooses, and the worst input for it, which
 * grows with n. Each file of rows is one table, which ends with a row that has no name.
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "loop/task.h"

/*
 * The input is `head`, n times `unit`, `middle`, n times `close`, and `tail`, or what `make` appends. In `unit` and `close`, each '#' is
 * the number of the repetition.
 */
struct ratio_row {
	const char *what; /* function: shape */
	unsigned n;       /* of the smaller input; the larger one has 4 n */
	void (*run)(const struct str *input);
	const char *head, *unit, *middle, *close, *tail; /* NULL: nothing */
	void (*make)(struct str *input, unsigned n);     /* NULL: of the texts */
	void (*prepare)(void);                           /* before this row and those that follow; may be NULL */
};

/* Stops the benchmark: a row whose input is refused would measure nothing. */
#define NEEDED(condition) \
	do { \
		if (!(condition)) { \
			fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
			exit(2); \
		} \
	} while (0)

/* Appends `unit`, with the number in the place of each '#'. */
void ratio_append(struct str *out, const char *unit, unsigned number);
void ratio_repeat(struct str *out, const char *unit, unsigned n);

/* Runs `fn` in a task, and the loop until it has returned. */
void ratio_in_task(int (*fn)(struct task *t, void *data), void *data);

extern const struct ratio_row ratio_text_rows[], ratio_json_rows[], ratio_mask_rows[], ratio_observe_rows[], ratio_page_rows[],
	ratio_view_rows[], ratio_client_rows[], ratio_wire_rows[], ratio_trace_rows[], ratio_http_rows[], ratio_file_rows[];
