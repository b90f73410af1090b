/*
 * Memory that is released all at once. A tool call has one: everything it allocates lives until its response is sent.
 * A zero-initialised `struct arena` is empty and valid. Allocation never fails (it aborts).
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/macros.h"

struct arena_block;

struct arena {
	struct arena_block *blocks;
};

void arena_done(struct arena *a);
/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *text); /* NULL gives NULL */
char *arena_strndup(struct arena *a, const char *text, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...) _printf_(2, 3);
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap) _printf_(2, 0);
