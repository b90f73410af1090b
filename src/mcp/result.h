/* The result of a tools/call: content items and, for tools with an output schema, structured content. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct result {
	struct str content;    /* JSON elements of `content`, comma-separated */
	struct str links;      /* further elements of `content`, for versions that have resource links */
	struct str structured; /* JSON object text, or empty */
	bool is_error;
};

void result_done(struct result *r);
void result_reset(struct result *r); /* discards what a failing tool has added */
void result_text(struct result *r, const char *text);
/* `base64`: standard alphabet, padded, without line breaks; it is copied unchanged. */
void result_image(struct result *r, const char *base64, const char *mime_type);
void result_audio(struct result *r, const char *base64, const char *mime_type);
void result_resource(struct result *r, const char *uri, const char *mime_type, const char *text);
/* Adds a resource link; links follow all other content. */
void result_link(struct result *r, const char *uri, const char *name, const char *mime_type, uint64_t size);
void result_take_links(struct result *r, struct result *from);
/*
 * Moves the result into a larger one: `texts` gets its texts, one below the other, and `to` its other content and links, behind what is
 * there. Structured content is left out, because its text says the same.
 */
void result_split(struct result *r, struct str *texts, struct result *to);
/* Adds the content of another result behind this one's. */
void result_append(struct result *r, const struct result *more);
/* Adds a JSON object (str_json format) as text content and as the structured content. Call it at most once. */
#define result_json(r, ...) result_json_values(r, JSON_VALUES(__VA_ARGS__))
void result_json_values(struct result *r, uint64_t types, const char *template, ...);
