/*
 * What is kept for each context and for each browser, without their knowing it by name. A part has a line in one of the lists below, and
 * its file defines NAME_part: what it does when something happens to what it is a part of. The lists give the order in which parts are
 * called, and freed.
 */
#pragma once

#include <stdbool.h>

#include "engine/browser.h"

struct archive;
struct blob_limit;
struct browser;
struct context;
struct contexts;
struct disposal;
struct downloads;
struct fetcher;
struct gpu_limit;
struct linger;
struct load_limit;
struct matchers;
struct memory_limit;
struct page;
struct recording;
struct sandbox;
struct saved_files;
struct suspects;
struct uploads;
struct videos;

/* A part is made by its own file when it is needed first; until then context_NAME() returns NULL. */
#define CONTEXT_PARTS(X) X(sandbox) X(fetcher) X(videos) X(archive) X(recording) X(downloads) X(uploads)

/* All but `free` may be NULL, and is called only for parts that were made. Nothing suspends. */
struct context_part {
	/* Whether a page that was opened just now is the part's own, and none that clients see. */
	bool (*claims)(void *part, struct page *p);
	/* Clients see the page from now on. */
	void (*page_shown)(void *part, struct page *p);
	/* page_is_private() of all its pages has changed. */
	void (*privacy_changed)(void *part);
	/* The browser has ended, and its pages are about to go. */
	void (*browser_gone)(void *part);
	/* The context is about to be freed. What the browser must answer before it disposes of the context is handed over to `d`. */
	void (*delay)(void *part, struct disposal *d);
	void (*free)(void *part);
	bool owns_pages; /* that clients do not see: it is freed when all pages of the context are closed */
};

#define CONTEXT_PART_NUMBER(name) CONTEXT_##name,
enum context_part_number { CONTEXT_PARTS(CONTEXT_PART_NUMBER) CONTEXT_PARTS_COUNT };
void *context_part(struct context *c, enum context_part_number number);
void context_set_part(struct context *c, enum context_part_number number, void *part); /* NULL: none any more */

#define DEFINE_CONTEXT_PART(name) \
	extern const struct context_part name##_part; \
	static inline struct name *context_##name(struct context *c) \
	{ \
		return context_part(c, CONTEXT_##name); \
	} \
	static inline void context_set_##name(struct context *c, struct name *part) \
	{ \
		context_set_part(c, CONTEXT_##name, part); \
	}
CONTEXT_PARTS(DEFINE_CONTEXT_PART)

/* Made with the browser in this order, and freed in the reverse one; those without `new` are set when they are needed. */
#define BROWSER_PARTS(X) \
	X(contexts) X(linger) X(saved_files) X(matchers) X(suspects) X(memory_limit) X(blob_limit) X(load_limit) X(gpu_limit)

/* Any may be NULL. Nothing suspends. */
struct browser_part {
	void *(*new)(struct browser *b);
	/* A page was opened in the browser. */
	void (*page_opened)(void *part);
	/* How many contexts the part only keeps for a next call; they do not keep the browser. */
	unsigned (*idle_contexts)(void *part);
	/* The connection to a browser that goes on is about to be ended. */
	void (*leaving)(void *part);
	/* The browser is about to be freed, and may run still. */
	void (*closing)(void *part);
	/* The browser has ended. */
	void (*ended)(void *part);
	void (*free)(void *part);
};

#define BROWSER_PART_NUMBER(name) BROWSER_##name,
enum browser_part_number { BROWSER_PARTS(BROWSER_PART_NUMBER) BROWSER_PARTS_COUNT };
void *browser_part(struct browser *b, enum browser_part_number number);
void browser_set_part(struct browser *b, enum browser_part_number number, void *part);

#define DEFINE_BROWSER_PART(name) \
	extern const struct browser_part name##_part; \
	static inline struct name *browser_##name(struct browser *b) \
	{ \
		return browser_part(b, BROWSER_##name); \
	}
BROWSER_PARTS(DEFINE_BROWSER_PART)

/* All parts, by number. parts.c hands it to the browser, which hands it to contexts. */
struct parts {
	const struct context_part *of_context[CONTEXT_PARTS_COUNT];
	const struct browser_part *of_browser[BROWSER_PARTS_COUNT];
	struct engine_browser_events events; /* but for `data`, which is the browser */
};
const struct parts *browser_parts(const struct browser *b);
