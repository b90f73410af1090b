/*
 * The tree that json_parse() builds, for json.c, jsonparse.c and jsonscan.c only: all values in document order and the strings in
 * a second block. The first child directly follows its parent, except in a tree that json_extract() has reduced.
 */
#pragma once

#include "base/json.h"

struct json {
	enum json_type type;
	uint32_t next; /* distance to the next child of the same parent; 0 for the last child */
	union {
		uint32_t count;  /* of an array or object: children */
		uint32_t source; /* of any other value: offset of its first byte in the text */
	};
	uint32_t name_len;
	const char *name; /* of an object's member, else NULL */
	union {
		const char *text;
		double number;
		bool truth;
		uint32_t first; /* of a container that is not empty: distance to its first child */
	};
};

struct json_tree {
	char *texts;
	struct json values[]; /* the first one is the root */
};
