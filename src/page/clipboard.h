/*
 * The clipboard of a group of pages. Contexts of one browser would share the browser's clipboard, so their pages neither write nor read
 * that: scripts/functions/clipboard.js takes what pages copy, cut and paste, and the group has the texts. Nothing suspends.
 */
#pragma once

#include <stdbool.h>

#include "base/random.h"
#include "base/str.h"

struct engine_target;
struct frame;
struct page;
struct page_group;

/* What pages may do with navigator.clipboard. */
struct clipboard_grants {
	bool read, write;
};

/* All zero: pages use the browser's. */
struct group_clipboard {
	bool own;
	struct clipboard_grants grants;
	struct str origin;              /* has the grants; empty: all have */
	struct str items;               /* JSON, as the script makes it; empty: nothing was copied */
	uint64_t copies;                /* how often pages have copied something */
	char channel[RANDOM_NAME_SIZE]; /* name of the events by which the scripts of a document talk; empty: they need none */
};

/* The requests for the text that a document has made, which one answer serves. */
struct frame_reading {
	int world;  /* execution context of the script that asks */
	int number; /* of the last request; 0: none waits */
};

/* The group's pages, which are still to be opened, have a clipboard of their own. */
void page_group_own_clipboard(struct page_group *g);
/*
 * If the group has a clipboard of its own, its permissions must not be granted in the browser: returns whether `permission` is one, which
 * is then added to `grants`.
 */
bool clipboard_takes_grant(const struct page_group *g, const char *permission, struct clipboard_grants *grants);
/* From here on pages of the origin, "" for all, may use navigator.clipboard so, in documents that are open, too. */
void page_group_grant_clipboard(struct page_group *g, const struct clipboard_grants *grants, const char *origin);
/*
 * For the input of a person. Exchanges what pages of the group paste with `items`, in the form of scripts/functions/clipboard.js. False: they use
 * the browser's clipboard, and nothing was exchanged.
 */
bool page_exchange_clipboard(struct page *p, struct str *items);
uint64_t page_copies(const struct page *p); /* how often pages of the group have copied something */
/* Appends the plain text of what was copied last. */
void page_copied_text(const struct page *p, struct str *out);
/* Called by the folder. Whether scripts for the isolated world and for the page were registered with the target. */
bool clipboard_prepare(const struct page *p, struct engine_target *s);
/* Takes what the script reports. */
void clipboard_on_report(struct frame *f, const char *text);
