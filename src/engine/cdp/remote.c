#include "engine/cdp/remote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is(const struct json *v, const char *member, const char *text)
{
	return strcmp(json_text(v, member), text) == 0;
}

/* CDP does not run getters for a preview, so accessors have no value. */
static void property_text(struct clip *out, const struct json *property)
{
	const char *value = json_str(property, "value");

	clip_append(out, value ? value : is(property, "type", "accessor") ? "undefined" : "");
}

static void object_text(struct clip *out, const struct json *properties)
{
	clip_append(out, "{");
	json_foreach(p, properties) {
		if (p != json_first(properties))
			clip_append(out, ", ");
		clip_append(out, json_text(p, "name"));
		clip_append(out, ": ");
		property_text(out, p);
	}
	clip_append(out, "}");
}

#define INDEX_MAX 4294967294 /* of an array's element; larger numbers are names of other properties */

/* The array index that `name` spells, -1 for other names. */
static long index_of(const char *name)
{
	char *end;
	long n;

	if (!name || *name < '0' || *name > '9')
		return -1;
	n = strtol(name, &end, 10);
	return *end || n > INDEX_MAX ? -1 : n;
}

static void append_holes(struct clip *out, long holes)
{
	char text[32];

	if (holes > 1)
		snprintf(text, sizeof(text), "empty x %ld, ", holes);
	if (holes > 0)
		clip_append(out, holes > 1 ? text : "empty, ");
}

/* Lists elements by index and marks holes; other properties of the array are skipped. */
static void array_text(struct clip *out, const struct json *properties)
{
	long next = 0;

	clip_append(out, "[");
	json_foreach(p, properties) {
		long n = index_of(json_str(p, "name"));

		if (n < next)
			continue;
		if (next > 0)
			clip_append(out, ", ");
		append_holes(out, n - next);
		property_text(out, p);
		next = n + 1;
	}
	clip_append(out, "]");
}

/* Appends a primitive value; false if `object` is not a primitive. */
static bool primitive_text(struct clip *out, const struct json *object)
{
	const struct json *value = json_get(object, "value");
	const char *text = json_str(object, "unserializableValue");
	_cleanup_(str_done) struct str printed = {};

	if (is(object, "type", "undefined"))
		text = "undefined";
	if (!text && value) {
		text = json_type(value) == JSON_STRING ? json_str(value, NULL) : json_str(object, "description");
		if (!text)
			json_print(&printed, value);
	}
	if (text || value)
		clip_append(out, text ? text : printed.data);
	return text || value;
}

void remote_text(struct clip *out, const struct json *object)
{
	const struct json *properties = json_get(object, "preview.properties");

	if (primitive_text(out, object))
		return;
	if (is(object, "subtype", "node"))
		clip_append(out, "JSHandle@node");
	else if (properties && is(object, "subtype", "array"))
		array_text(out, properties);
	else if (properties && is(object, "description", "Object"))
		object_text(out, properties);
	else
		clip_append(out, json_text(object, "description"));
}
