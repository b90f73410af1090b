#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"

#define BLOCK_SIZE ((size_t)4096)

struct arena_block {
	struct arena_block *next;
	size_t used, size; /* of `data`, in bytes */
	alignas(max_align_t) char data[];
};

/* Rounds up to the strictest alignment; a size that overflows could not be allocated anyway. */
static size_t round_up(size_t size)
{
	if (size > SIZE_MAX / 2)
		abort();
	return (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
}

/*
 * A request that would waste most of a block gets a block of its own, linked behind the current one, so that small
 * requests go on filling that one.
 */
static struct arena_block *add_block(struct arena *a, size_t size)
{
	bool own = size > BLOCK_SIZE / 4;
	struct arena_block *b = must(calloc(1, sizeof(*b) + (own ? size : BLOCK_SIZE)));
	struct arena_block **at = own && a->blocks ? &a->blocks->next : &a->blocks;

	b->size = own ? size : BLOCK_SIZE;
	b->next = *at;
	*at = b;
	return b;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *b = a->blocks;
	void *p;

	size = round_up(size);
	if (!b || b->size - b->used < size)
		b = add_block(a, size);
	p = b->data + b->used;
	b->used += size;
	return p;
}

void arena_done(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *b = a->blocks;

		a->blocks = b->next;
		free(b);
	}
}

char *arena_strndup(struct arena *a, const char *text, size_t len)
{
	char *copy;

	if (!text)
		return NULL;
	copy = arena_alloc(a, len + 1);
	memcpy(copy, text, len);
	return copy;
}

char *arena_strdup(struct arena *a, const char *text)
{
	return arena_strndup(a, text, text ? strlen(text) : 0);
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	_cleanup_(str_done) struct str text = {};

	str_vappendf(&text, fmt, ap);
	return arena_strndup(a, text.data, text.len);
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return text;
}
