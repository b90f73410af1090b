/*
 * Pictures in answers. Models see a picture at a limited size, and a conversation with one that is too large is lost, so in the compact
 * form pictures are scaled down to what models see, and the answer says how much: otherwise nobody could compute a coordinate.
 */
#pragma once

#include "act/screenshot.h"
#include "reply/response.h"

#define PART_ABOUT "Of a page or element too tall to be shown at once: this part, from 1; in compact answers only"

/* What a call says about its picture. */
struct picture_wish {
	bool scale; /* it chooses the scale, so it gets all pixels */
	bool type;  /* it chooses the type of the file */
	bool file;  /* it names a file, which gets all of it */
	int part;   /* from 1: of a tall picture; 0: all of it */
};

/* Sets how large the picture may be, in which pixels, and of which type. `c` has what the form of @playwright/mcp would be. */
void picture_plan(const struct response_settings *s, const struct picture_wish *wish, struct capture *c);
/* The MIME type of the picture. */
const char *picture_type(const struct picture *pic);
/* Appends what was left out: "1280x9060 page, shown at 0.1731...", where `what` is the page; nothing for a picture that is whole. */
void picture_describe(const struct picture *pic, const struct capture *c, const char *what, struct str *out);
