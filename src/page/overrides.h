/*
 * Settings of pages that change while they run: header fields of their requests, the place where they believe to be, scripts that run in
 * their documents first. Those of a group hold for all of its pages, also later ones; those of a page come after them.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"
#include "base/str.h"
#include "engine/emulate.h"
#include "loop/task.h"

struct engine_target;
struct page;
struct page_group;

struct page_overrides {
	struct str headers; /* JSON object of names and texts; empty: none */
	bool is_placed;     /* the next member says where */
	struct geolocation place;
	struct str *scripts; /* texts, in the order in which they run */
	unsigned scripts_count;
	size_t scripts_size;
	bool exposes; /* page/exposed.h: some of the scripts need its binding */
};

/* Header fields of all requests, instead of those set before. Suspend until the browser knows them. */
int page_set_headers(struct task *t, struct page *p, const struct json *headers);
int page_group_set_headers(struct task *t, struct page_group *g, const struct json *headers);
/* `place` NULL: that of this machine. Suspends. */
int page_group_set_geolocation(struct task *t, struct page_group *g, const struct geolocation *place);
/* Runs in each document from the next one on, before its own scripts. -EMFILE: LIMIT_INIT_SCRIPTS_COUNT, LIMIT_INIT_SCRIPTS. Suspend. */
int page_add_init_script(struct task *t, struct page *p, const char *source);
int page_group_add_init_script(struct task *t, struct page_group *g, const char *source);
/* Whether header fields, scripts or routes hold for this page alone, which end with it. */
bool page_has_own_settings(const struct page *p);
