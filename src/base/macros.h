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
#define _unused_ __attribute__((unused)) /* a variable that is only there for its clean-up */

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

#define MIN(a, b) \
	({ \
		__typeof__(a) _a = (a); \
		__typeof__(b) _b = (b); \
		_a < _b ? _a : _b; \
	})
#define MAX(a, b) \
	({ \
		__typeof__(a) _a = (a); \
		__typeof__(b) _b = (b); \
		_a > _b ? _a : _b; \
	})

/*
 * Annotations that state whether a pointer stays valid over a call that may suspend. They expand to nothing;
 * tests/unit/held_across_waits.py checks them for the objects in the table of src/README.md.
 *
 * _kept_ on a member: the object it points to lives as long as the struct, because the struct holds a reference or is its
 * only owner. On a function: the returned object lives as long as the arguments. Pointers without the annotation are borrowed:
 * they are valid until the next call that may suspend.
 *
 * _borrowed_ on a parameter: the function uses it only before it suspends. The caller keeps all other parameters valid until
 * the function returns.
 */
#define _kept_
#define _borrowed_

/*
 * On a member, a function or a parameter: the pointer can be NULL. Expands to nothing; the same test checks that it is tested before it is
 * used, a member again after each call that may suspend.
 */
#define _nullable_

/* Moves ownership out of a pointer variable: returns its value and sets it to NULL. */
#define TAKE_PTR(p) \
	({ \
		__typeof__(p) _p = (p); \
		(p) = NULL; \
		_p; \
	})

#define DEFINE_FREEP(name) \
	static inline void name##_freep(struct name **p) \
	{ \
		name##_free(*p); \
	} \
	struct _swallow_semicolon_

#define DEFINE_UNREFP(name) \
	static inline void name##_unrefp(struct name **p) \
	{ \
		name##_unref(*p); \
	} \
	struct _swallow_semicolon_

/* Returns the result of an allocation, never NULL: running out of memory aborts the process. */
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
