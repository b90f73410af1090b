#include "base/names.h"

#include <stdlib.h>

#include "base/macros.h"

void names_done(struct names *n)
{
	free(n->items);
}

void names_add(struct names *n, const char *name)
{
	if (n->count == n->room) {
		n->room = 2 * n->room + 16;
		n->items = must(realloc(n->items, n->room * sizeof(*n->items)));
	}
	n->items[n->count++] = name;
}

static int names_compare(const void *a, const void *b, void *names)
{
	return ((const struct names *)names)->compare(*(const char *const *)a, *(const char *const *)b);
}

void names_sort(struct names *n)
{
	if (n->count)
		qsort_r(n->items, n->count, sizeof(*n->items), names_compare, n);
}

bool names_have(const struct names *n, const char *name)
{
	size_t from = 0, to = n->count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		int order = n->compare(name, n->items[middle]);

		if (order == 0)
			return true;
		if (order < 0)
			to = middle;
		else
			from = middle + 1;
	}
	return false;
}

bool names_repeat(const struct names *n)
{
	for (size_t i = 1; i < n->count; i++)
		if (n->compare(n->items[i - 1], n->items[i]) == 0)
			return true;
	return false;
}
