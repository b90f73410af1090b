/*
 * Pages in the short notation for tests of src/view: trees of rows that are generated, changed, and written as scripts/outline.js writes
 * them. Everything is random from one seed, which is printed and can be given in VIEW_SEED.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/cursors.h"
#include "view/outline.h"

void random_begin(void);
unsigned random_below(unsigned n);
/* One of 1,000 times `in_1000`. */
bool random_chance(unsigned in_1000);

/* A row with those in it. */
struct node {
	struct node *around, **in; /* NULL: the root, which is not written */
	size_t count;
	char kind;
	bool ticks, focused, place;
	uint64_t key;
	unsigned frame, ref;         /* f1e12; 0: none */
	char *role, *name, *content; /* NULL: none */
	bool disabled;
};

struct model {
	struct node *root;
	uint64_t last_key;
	unsigned last_ref;
	bool named_containers; /* each container has a ref and a name of its own */
};

/* A tree with about `rows` rows. */
void model_init(struct model *m, unsigned rows);
void model_done(struct model *m);
/* One to `most` random changes. */
void model_change(struct model *m, unsigned most);
struct node *model_add(struct model *m, struct node *around, size_t at, char kind, const char *role);
void model_remove(struct node *n);
/* The rows in text, and as an outline. */
void model_write(const struct model *m, struct str *out);
struct outline *model_outline(const struct model *m);
size_t model_count(const struct node *n);

/* Rows as they are shown, with the marks that scripts/outline.js writes (view/marks.h). */
void add_marks(struct str *out, const char *rows);
/* The outline of such rows, which are right. */
struct outline *outline_of(const char *rows);
/* `DEPTH KIND FLAGS KEY<tab>TEXT` with a key of its own. */
void add_row(struct str *rows, unsigned depth, char kind, const char *flags, const char *text);
void add_rowf(struct str *rows, unsigned depth, char kind, const char *flags, const char *format, ...) _printf_(5, 6);

/* A table with this many rows. */
struct outline *simple_page(unsigned count);
/* `out` is what the cursor leads to, in 1,000 bytes. */
enum cursor_outcome ask_cursor(struct cursors *all, const char *name, struct str *out);
/* The numbers behind "cursor c" in a text; at most `max`. */
size_t cursors_in(const char *text, unsigned *numbers, size_t max);
