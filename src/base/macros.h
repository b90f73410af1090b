/*
 * Language helpers that every folder may use.
 *
 * _cleanup_(f) calls f(&variable) when the variable leaves its scope. Destructors accept NULL and half-built
 * objects; DEFINE_FREEP(name) makes the pointer form that _cleanup_ needs from `struct name *name_free()`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define _cleanup_(f) __attribute__((cleanup(f)))
#define _printf_(f, a) __attribute__((format(printf, f, a)))
#define _noreturn_ __attribute__((noreturn))

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define MIN(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a < _b ? _a : _b; })
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })

/*
 * Says whether a pointer may be kept over a call that may suspend. To the compiler these are nothing;
 * tests/unit/held_across_waits.py reads them, for the objects in the table of src/README.md.
 *
 * _kept_, of a member: what it points to lives as long as what holds the member. That is a reference, or something that
 * nobody but the holder ends. Of a function: the object that it returns lives as long as those that it is asked with.
 * Pointers without it are borrowed: they are good until the next call that may suspend.
 *
 * _borrowed_, of a parameter: the function uses it only before it suspends. All others stay valid until the function returns;
 * its caller sees to that.
 */
#define _kept_
#define _borrowed_

/* Moves the ownership out of a pointer variable: gives its value and leaves NULL. */
#define TAKE_PTR(p) ({ __typeof__(p) _p = (p); (p) = NULL; _p; })

#define DEFINE_FREEP(name)                                                                                  \
	static inline void name##_freep(struct name **p)                                                   \
	{                                                                                                  \
		name##_free(*p);                                                                           \
	}                                                                                                  \
	struct _swallow_semicolon_

#define DEFINE_UNREFP(name)                                                                                 \
	static inline void name##_unrefp(struct name **p)                                                  \
	{                                                                                                  \
		name##_unref(*p);                                                                          \
	}                                                                                                  \
	struct _swallow_semicolon_

/* Running out of memory ends the process: what an allocation gave, never NULL. */
static inline void *must(void *p)
{
	if (!p)
		abort();
	return p;
}

/* A zeroed object on the heap, never NULL. */
#define NEW(type) ((type *)must(calloc(1, sizeof(type))))

static inline void freep(void *p)
{
	free(*(void **)p);
}
