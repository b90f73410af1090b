/*
 * What json_parse() makes, for json.c and jsonparse.c alone: all values of a text in its order, so that the first child
 * stands right behind its parent, and the texts in a second block.
 */
#pragma once

#include "base/json.h"

struct json {
	enum json_type type;
	uint32_t next;  /* so many further on is the next child of the same parent; 0: this is the last one */
	uint32_t count; /* children */
	uint32_t name_len;
	const char *name; /* of an object's member, else NULL */
	union {
		const char *text;
		double number;
		bool truth;
	};
};

struct json_tree {
	char *texts;
	struct json values[]; /* the first one is the root */
};
