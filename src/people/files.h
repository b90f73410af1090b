/* The files of the page (src/people/page), which are part of the program (embed_page.py), and the header fields of the whole site. */
#pragma once

#include <stddef.h>

#include "loop/http.h"

struct page_file {
	const char *name, *type;
	const char *bytes;
	size_t len;
};

extern const struct page_file page_files[]; /* ends with {}; made by embed_page.py */

/*
 * The page loads nothing from elsewhere, runs no script but its files, sends nothing elsewhere, and is shown in no frame; other pages
 * cannot reach its window or include its files; no cache and no Referer keeps an address.
 */
#define FILES_FIELDS \
	"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; " \
	"media-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n" \
	"X-Frame-Options: DENY\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n" \
	"Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n"

/* Answers with that file, 404 if there is none. */
void files_answer(struct http_exchange *x, const char *name);
