#include "engine/bidi/remote.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"

#define PROPERTIES_SHOWN 5 /* as many as Chromium shows of an object, */
#define ELEMENTS_SHOWN 100 /* and of an array */

static bool remote_has_type(const struct json *v, const char *type)
{
	return strcmp(json_text(v, "type"), type) == 0;
}

/* What BiDi writes as text or not at all; NULL: something else. */
static const char *simple_text(const struct json *v)
{
	if (remote_has_type(v, "undefined") || remote_has_type(v, "null"))
		return json_text(v, "type");
	return json_str(v, "value");
}

/* False: it is none of the values without members. */
static bool append_primitive(struct clip *out, const struct json *v)
{
	_cleanup_(str_done) struct str printed = {};
	const char *text = simple_text(v);

	if (!text && (remote_has_type(v, "number") || remote_has_type(v, "boolean"))) {
		json_print(&printed, json_get(v, "value"));
		text = printed.data;
	}
	if (text)
		clip_append(out, text);
	if (remote_has_type(v, "bigint"))
		clip_append(out, "n");
	return text;
}

static void append_counted(struct clip *out, const char *name, const struct json *v)
{
	char count[32];

	snprintf(count, sizeof(count), "(%zu)", json_count(json_get(v, "value")));
	clip_append(out, name);
	clip_append(out, count);
}

static void append_regexp(struct clip *out, const struct json *v)
{
	clip_append(out, "/");
	clip_append(out, json_text(v, "value.pattern"));
	clip_append(out, "/");
	clip_append(out, json_text(v, "value.flags"));
}

/* The name of a class. BiDi says no other names than these. */
static void append_class(struct clip *out, const struct json *v)
{
	static const char *const names[][2] = {
		{ "object", "Object" },           { "error", "Error" },
		{ "promise", "Promise" },         { "symbol", "Symbol()" },
		{ "window", "Window" },           { "weakmap", "WeakMap" },
		{ "weakset", "WeakSet" },         { "typedarray", "TypedArray" },
		{ "arraybuffer", "ArrayBuffer" }, { "proxy", "Proxy" },
		{ "generator", "Generator" },     { "iterator", "Iterator" },
		{ "nodelist", "NodeList" },       { "htmlcollection", "HTMLCollection" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (remote_has_type(v, names[i][0])) {
			clip_append(out, names[i][1]);
			return;
		}
	clip_append(out, json_text(v, "type"));
}

static void nested_text(struct clip *out, const struct json *v)
{
	if (append_primitive(out, v))
		return;
	if (remote_has_type(v, "array"))
		append_counted(out, "Array", v);
	else if (remote_has_type(v, "map"))
		append_counted(out, "Map", v);
	else if (remote_has_type(v, "set"))
		append_counted(out, "Set", v);
	else if (remote_has_type(v, "regexp"))
		append_regexp(out, v);
	else if (remote_has_type(v, "node"))
		clip_append(out, json_text(v, "value.localName"));
	else if (!remote_has_type(v, "function")) /* of which Chromium shows nothing there */
		append_class(out, v);
}

/* Names that are no texts are those of a Map, which is not shown so. */
static void members_text(struct clip *out, const struct json *members)
{
	unsigned shown = 0;

	clip_append(out, "{");
	json_foreach(pair, members) {
		const struct json *name = json_first(pair);

		if (shown == PROPERTIES_SHOWN)
			break;
		if (shown++)
			clip_append(out, ", ");
		clip_append(out, json_text(name, NULL));
		clip_append(out, ": ");
		nested_text(out, json_next(name));
	}
	clip_append(out, "}");
}

static void elements_text(struct clip *out, const struct json *elements)
{
	unsigned shown = 0;

	clip_append(out, "[");
	json_foreach(v, elements) {
		if (shown == ELEMENTS_SHOWN)
			break;
		if (shown++)
			clip_append(out, ", ");
		nested_text(out, v);
	}
	clip_append(out, "]");
}

void bidi_remote_text(struct clip *out, const struct json *v)
{
	const struct json *value = json_get(v, "value");

	if (remote_has_type(v, "node"))
		clip_append(out, "JSHandle@node");
	else if (remote_has_type(v, "function"))
		clip_append(out, "function");
	else if (remote_has_type(v, "array") && value)
		elements_text(out, value);
	else if (remote_has_type(v, "object") && value)
		members_text(out, value);
	else
		nested_text(out, v);
}
