/* What is kept of a session that sleeps. */
#pragma once

#include "base/macros.h"
#include "base/str.h"
#include "view/packed.h"

/* A text that is compressed, unless that does not make it shorter. */
struct sleep_text {
	struct str text;
	struct packed packed; /* then `text` is empty */
};

struct sleep {
	struct sleep_text storage, pages; /* members of an object, as session_save() writes it */
	struct sleep_text fields;         /* elements of a list: what was typed into the fields of each page */
	size_t bytes;
	bool lost;         /* its context has died with the browser */
	char *url, *title; /* of the current page */
};

void sleep_text_done(struct sleep_text *k);
void sleep_text_unpack(struct sleep_text *k);
struct sleep *sleep_free(struct sleep *k);
DEFINE_FREEP(sleep);
/* Compresses the texts, and counts their bytes. */
void sleep_pack(struct sleep *k);
