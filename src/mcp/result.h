/* What a tools/call answers: content items and, for tools with an output schema, the same as structured content. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

struct result {
	struct str content;    /* JSON elements of `content`, comma-separated */
	struct str links;      /* elements of `content`, too: for the versions that know resource links */
	struct str structured; /* JSON object text, or empty */
	bool is_error;
};

void result_done(struct result *r);
void result_reset(struct result *r); /* empty again: forgets what a failing tool had begun to say */
void result_text(struct result *r, const char *text);
/* Standard base64 with padding, no line breaks: copied as it is. */
void result_image(struct result *r, const char *base64, const char *mime_type);
void result_audio(struct result *r, const char *base64, const char *mime_type);
void result_resource(struct result *r, const char *uri, const char *mime_type, const char *text);
/* A link to a resource, which comes behind all other content. */
void result_link(struct result *r, const char *uri, const char *name, const char *mime_type, uint64_t size);
void result_take_links(struct result *r, struct result *from);
/* One JSON object (str_json format), as text content and as structured content (of which there is one). */
void result_json(struct result *r, const char *fmt, ...) _printf_(2, 3);
