/*
 * Live pictures of pages for those who look at them. One cast of a page serves all of its viewers: it runs while one of them can take a picture,
 * in the largest size that they want, and each viewer gets a picture when it is ready for the next one and its pause is over. A viewer that is
 * not ready misses pictures, and nobody waits for it. A page that nobody looks at has no cast.
 *
 * Watching is no use of a page: one that rests is shown as it is, and rests on (page/rest.h). Nothing suspends.
 */
#pragma once

#include <stdint.h>
#include <sys/queue.h>

#include "base/clock.h"
#include "engine/cast.h"
#include "page/page.h"

/* Shared by those who have a reference, and never changed. */
struct cast_picture {
	unsigned refs;
	uint64_t number;      /* increasing, in the process */
	unsigned document;    /* page_commits() when it came */
	double width, height; /* of the viewport of the page in CSS pixels */
	size_t size;
	uint8_t jpeg[];
};
struct cast_picture *cast_picture_ref(struct cast_picture *c);
struct cast_picture *cast_picture_unref(_nullable_ struct cast_picture *c);

/* Embedded in its owner, zeroed but for what is said of it. */
struct cast_viewer {
	LIST_ENTRY(cast_viewer) link;
	_nullable_ struct page *page; /* that it looks at, borrowed: it is NULL again before the page ends; NULL: none */
	struct cast_size size;        /* by the owner */
	usec_t pause;    /* between two pictures, by the owner; it is longer while many pages change (LIMIT_CAST_RATE) */
	unsigned credit; /* pictures that it may be given; cast_add_credit() */
	usec_t due;
	uint64_t shown; /* number of the last picture that it was given */
	/* A picture, of which the credit was taken. The viewer must not leave or join inside of it. */
	void (*show)(struct cast_viewer *v, struct cast_picture *picture);
};

/* Looks at the page from now on, with this size and pause. The first picture may be shown at once. */
void cast_join(struct cast_viewer *v, struct page *p);
/* Without viewers the cast stops at once, and ends soon. No effect for one that looks at no page. */
void cast_leave(struct cast_viewer *v);
void cast_set_size(struct cast_viewer *v, const struct cast_size *size, usec_t pause);
void cast_add_credit(struct cast_viewer *v);
/* The page gets input of a person. */
void cast_hurry(struct page *p);
/* The number of casts: of pages that somebody looks at. */
unsigned cast_count(void);
