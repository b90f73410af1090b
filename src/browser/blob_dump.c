#include "browser/blob_dump.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

#define STORES_MAX 10000u

void blob_dump_done(struct blob_dump *d)
{
	free(d->stores);
}

void blob_dump_add(struct blob_dump *d, const char *name, uint64_t size)
{
	if (strlen(name) >= BLOB_STORE_NAME_SIZE || d->count == STORES_MAX)
		return;
	if (d->count == d->room) {
		d->room = 2 * d->room + 16;
		d->stores = must(realloc(d->stores, d->room * sizeof(*d->stores)));
	}
	strcpy(d->stores[d->count].name, name);
	d->stores[d->count++].size = size;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct blob_store *)a)->name, ((const struct blob_store *)b)->name);
}

static int by_growth(const void *a, const void *b)
{
	uint64_t first = ((const struct blob_store *)a)->grown, second = ((const struct blob_store *)b)->grown;

	return first < second ? -1 : first > second;
}

static void sort(struct blob_dump *d, int (*compare)(const void *a, const void *b))
{
	if (d->count)
		qsort(d->stores, d->count, sizeof(*d->stores), compare);
}

static const struct blob_store *blob_dump_find(const struct blob_dump *sorted, const struct blob_store *wanted,
					       int (*compare)(const void *a, const void *b))
{
	return sorted->count ? bsearch(wanted, sorted->stores, sorted->count, sizeof(*wanted), compare) : NULL;
}

void blob_dump_compare(struct blob_dump *before, struct blob_dump *after)
{
	sort(before, by_name);
	for (unsigned i = 0; i < after->count; i++) {
		const struct blob_store *old = blob_dump_find(before, &after->stores[i], by_name);

		after->stores[i].grown = after->stores[i].size - (old ? old->size : 0);
	}
	sort(after, by_growth);
}

const struct blob_store *blob_dump_grown_by(const struct blob_dump *after, uint64_t bytes)
{
	return blob_dump_find(after, &(const struct blob_store){ .grown = bytes }, by_growth);
}

const struct blob_store *blob_dump_largest(const struct blob_dump *d)
{
	const struct blob_store *largest = NULL;

	for (unsigned i = 0; i < d->count; i++)
		if (!largest || d->stores[i].size > largest->size)
			largest = &d->stores[i];
	return largest;
}
