/*
 * What a page consists of, without its knowing it by name. A part has a line in the list below, and its file defines NAME_part: what it
 * does when something happens to a page or a group of pages. The list gives the order in which parts are called, and so that of what they
 * send.
 */
#pragma once

#include <stddef.h>

#include "engine/events.h"
#include "engine/targets.h"

struct page;
struct page_group;

#define PAGE_PARTS(X) \
	X(navigation) \
	X(worlds) \
	X(traffic) \
	X(record) \
	X(webmcp) \
	X(clipboard) \
	X(interception) \
	X(emulation) \
	X(overrides) \
	X(modal) \
	X(throttle) \
	X(rest) \
	X(origins) \
	X(forbidden_address) \
	X(mouse) \
	X(cast)

/* Any may be NULL. Nothing suspends. */
struct page_part {
	/* A group was made, which has no pages yet, or is about to go. */
	void (*group_init)(struct page_group *g);
	void (*group_done)(struct page_group *g);
	/* The page was made; it has no frame yet. */
	void (*init)(struct page *p);
	/* A page that is driven has this target now, to which nothing was sent: its own, or that of a frame or (TARGET_OTHER) a worker. */
	void (*attached)(struct page *p, struct engine_target *s, enum target_kind kind);
	/* Sends what sets it up for the part. */
	void (*prepare)(struct page *p, struct engine_target *s, enum target_kind kind);
	/* The page may take answers again, of some kind (page/answers.h). */
	void (*go_on)(struct page *p);
	/* The browser was asked to close the page. */
	void (*closing)(struct page *p);
	/* The page leaves its group, and its targets are about to go. */
	void (*gone)(struct page *p);
	/* The page is about to be freed. */
	void (*done)(struct page *p);
};

#define PAGE_PART_NUMBER(name) PART_##name,
enum page_part_number { PAGE_PARTS(PAGE_PART_NUMBER) PAGE_PARTS_COUNT };

#define DECLARE_PAGE_PART(name) extern const struct page_part name##_part;
PAGE_PARTS(DECLARE_PAGE_PART)

/* All parts, and the handlers of what is reported of the page's targets. parts.c defines them; pages get them when they are made. */
struct page_parts {
	const struct page_part *list[PAGE_PARTS_COUNT];
	struct engine_events events;
};
extern const struct page_parts page_parts;

/* Calls the function `what` of each part that has one. */
#define TELL_PARTS(parts, what, ...) \
	do { \
		for (size_t _i = 0; _i < PAGE_PARTS_COUNT; _i++) \
			if ((parts)->list[_i]->what) \
				(parts)->list[_i]->what(__VA_ARGS__); \
	} while (0)
