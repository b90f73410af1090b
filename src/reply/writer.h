/*
 * The forms that answers have, each in a file of its own: markdown.c is that of @playwright/mcp, compact.c the short one for agents
 * (docs/answers.md). Whatever differs between them is a member here; tools say what happened, and do not ask which form there is.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/display.h"
#include "base/str.h"

struct capture;
struct page;
struct picture_wish;
struct response;
struct sections;
struct session;
struct tab;

struct answer_writer {
	/*
	 * Pages are shown as outlines (scripts/outline.js) in the answer itself, so each action answers with one, and a call that asks
	 * for one waits for the page as long as a navigation does. Else they are trees in files.
	 */
	bool shows_pages;
	/* Errors name their class and the function of @playwright/mcp that fails ("Error: browserBackend.callTool: ..."). */
	bool quotes_reference;
	/* A picture that is in the answer is also saved, though the call names no file. */
	bool saves_pictures;
	enum display_beside beside; /* what the lines of an answer are */
	const char *bullet;         /* before a line about a file, which must not look like one of a page that has gone */
	const char *closed;         /* the answer when the session has no tab any more */

	/* Collects the parts of an answer besides what the tool has added. Suspends. */
	int (*compile)(struct response *r, struct session *s, struct tab *tab, struct sections *to);
	/* Appends the answer of these parts and what the tool has added. */
	void (*write)(struct response *r, struct session *s, struct sections *parts, struct str *out);
	/* Appends the answer to a call that failed without any other content. */
	void (*fail)(const char *message, struct str *out);
	/* response_find() */
	int (*find)(struct response *r, struct session *s, struct page *p, const char *query, const char *shown, size_t max,
		    struct str *out);
	/* Appends the first `max` bytes or `max_lines` of `text`, and how much more there is. */
	void (*cut)(struct session *s, const struct str *text, size_t max, unsigned max_lines, struct str *out);
	/* response_keep_rest() */
	unsigned (*keep_rest)(struct response *r, struct session *s, const char *text, size_t len);
	/* response_fail_ref(); NULL: the failure is worded already. */
	int (*fail_ref)(struct response *r, const struct tab *tab, const char *ref, bool gone);
	/* picture_plan(); NULL: pictures have all their pixels. */
	void (*plan_picture)(const struct picture_wish *wish, struct capture *c);
	/* Appends the name of a file or an address as a server gave it. */
	void (*append_name)(struct str *out, const char *name);
};

extern const struct answer_writer markdown_writer, compact_writer;
