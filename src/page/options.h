/* What holds for the pages of a browser: how they are emulated, what they may open, and what their snapshots contain. */
#pragma once

#include <stdbool.h>

struct device;

/* CSS pixels; 0x0: the browser's own size. */
struct viewport {
	int width, height;
};

/* Borrowed strings live as long as the pages. All zero: a page as the browser makes it, which may open no file. */
struct page_options {
	bool ignore_https_errors;
	struct viewport viewport;
	const char *user_agent;          /* NULL: the browser's own */
	const struct device *device;     /* page/emulate.h; NULL: a desktop */
	const char *const *init_scripts; /* texts that run in every document first, NULL-terminated; may be NULL */
	const char *const *permissions;  /* granted to all pages: names that permission_find() knows; may be NULL */
	bool block_service_workers;
	bool files;                                                  /* pages of file: may be opened, page/address.h */
	const char *const *allowed_origins, *const *blocked_origins; /* page/intercept.h; NULL: no such list */
	const char *test_id_attribute;                               /* what getByTestId() looks at; NULL: data-testid */
	bool extended_snapshots; /* with more than the reference's: scripts/extended.js, scripts/clickable.js */
};
