/*
 * The tree that json_parse() builds, for json.c and jsonparse.c only: all values in document order, so that the first child
 * directly follows its parent, and the strings in a second block.
 */
#pragma once

#include "base/json.h"

struct json {
	enum json_type type;
	uint32_t next;  /* distance to the next child of the same parent; 0 for the last child */
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
