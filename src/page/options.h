/* What holds for the pages of a browser: how they are emulated, what they may open, and what their snapshots contain. */
#pragma once

#include <stdbool.h>

struct device;
struct json;

/* CSS pixels; 0x0: the browser's own size. */
struct viewport {
	int width, height;
};

enum page_switch { PAGE_AS_DEVICE, PAGE_ON, PAGE_OFF };
/* Indices into the tables of values that media features have: emulate.h. 0: the browser's own. */
struct page_media {
	int color_scheme, reduced_motion, forced_colors, contrast;
};

/* Borrowed strings live as long as the pages. All zero: a page as the browser makes it, which may open no file. */
struct page_options {
	bool ignore_https_errors;
	struct viewport viewport;
	const char *user_agent;                      /* NULL: the browser's own */
	const struct device *device;                 /* page/emulate.h; NULL: a desktop */
	struct viewport screen;                      /* 0x0: the device's, or that of the viewport */
	double scale;                                /* device pixels to one of CSS; 0: the device's */
	int mobile, touch;                           /* enum page_switch */
	const char *locale, *timezone;               /* BCP 47 and IANA names; NULL: those of this machine */
	const struct json *geolocation;              /* {latitude, longitude, accuracy}; NULL: none */
	const struct json *headers;                  /* sent with every request, an object of names and texts; NULL: none */
	const struct json *credentials;              /* {username, password, origin} for servers that ask; NULL: none */
	const char *base_url;                        /* of relative addresses in code of agents; NULL: none */
	const char *proxy_username, *proxy_password; /* NULL: none */
	struct page_media media;
	bool offline, no_javascript, bypass_csp;
	const char *const *init_scripts; /* texts that run in every document first, NULL-terminated; may be NULL */
	const char *const *permissions;  /* granted to all pages: names that engine_knows_permission() knows; may be NULL */
	bool own_clipboards;             /* each browser context has a clipboard of its own, but for the one of the profile */
	bool releases_pointer;           /* which a page locks: scripts/functions/pointerlock.js */
	bool block_service_workers;
	bool files;                                                  /* pages of file: may be opened, page/address.h */
	bool crash_page;                                             /* chrome://crash may be opened, likewise */
	const char *const *allowed_origins, *const *blocked_origins; /* page/origins.h; NULL: no such list */
	const char *test_id_attribute;                               /* what getByTestId() looks at; NULL: data-testid */
	bool extended_snapshots; /* with more than the reference's: scripts/extended.js, scripts/clickable.js */
	bool follows_0_0_84;     /* snapshots are those of @playwright/mcp 0.0.84: scripts/extended.js */
	bool renews_refs;        /* of elements whose role or name has changed: scripts/refs.js */
};
