#include "people/arguments.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "mcp/tool.h"
#include "observe/clip.h"
#include "people/shown.h"

#define SHOWN 80      /* bytes of one value */
#define NAMES_SHOWN 8 /* arguments or fields that are named */

static const struct call_words *words; /* ends with {} */

void arguments_use(const struct call_words *all)
{
	words = all;
}

/* ---- values ---- */

static bool append_quoted_text(struct str *out, const char *text)
{
	if (!text || !*text)
		return false;
	str_append(out, "“");
	shown_text(out, text, SHOWN);
	str_append(out, "”");
	return true;
}

static void arguments_append_length(struct str *out, const char *text)
{
	size_t count = 0;

	for (const char *p = text; *p; p++)
		count += ((unsigned char)*p & 0xc0) != 0x80;
	str_appendf(out, "%zu character%s", count, count == 1 ? "" : "s");
}

/* Keys that write a character may be those of a password. */
static bool arguments_append_key(struct str *out, const char *key)
{
	size_t len = key ? strlen(key) : 0;

	if (!len)
		return false;
	if (len <= utf8_sequence(key, len) || len == 1)
		str_append(out, "a character");
	else
		shown_text(out, key, SHOWN);
	return true;
}

static bool names_reference(const char *target)
{
	size_t frame = target[0] == 'f' ? 1 + strspn(target + 1, "0123456789") : 0;

	return target[frame] == 'e' && isdigit((unsigned char)target[frame + 1]) &&
	       !target[frame + 1 + strspn(target + frame + 1, "0123456789")];
}

static bool append_element(struct str *out, const struct json *arguments, const char *label, const char *target)
{
	const char *where = json_text(json_member(arguments, target), NULL);

	if (append_quoted_text(out, json_str(json_member(arguments, label), NULL)))
		return true;
	if (!names_reference(where))
		return append_quoted_text(out, where);
	str_appendf(out, "element %.16s", where);
	return true;
}

static bool append_on(struct str *out, const struct json *arguments)
{
	return append_element(out, arguments, "element", "target") || append_element(out, arguments, "", "selector");
}

static bool append_fields(struct str *out, const struct json *fields)
{
	unsigned count = 0;

	json_foreach(field, fields) {
		const char *name = json_text(field, "name");

		if (count == NAMES_SHOWN)
			break;
		str_append(out, count++ ? ", " : "");
		if (!append_quoted_text(out, *name ? name : json_str(field, "element")))
			str_append(out, "a field");
	}
	if (json_count(fields) > NAMES_SHOWN)
		str_appendf(out, " and %zu more", json_count(fields) - NAMES_SHOWN);
	return count;
}

static bool append_plain(struct str *out, const struct json *value)
{
	if (json_type(value) == JSON_STRING)
		shown_text(out, json_str(value, NULL), SHOWN);
	else if (json_type(value) == JSON_NUMBER || json_type(value) == JSON_BOOL)
		json_print(out, value);
	else
		return false;
	return true;
}

/* ---- the words of a tool ---- */

/* One {...}, without the braces. False: the argument is missing. */
static bool append_token(struct str *out, const char *token, const struct json *arguments)
{
	const struct json *value = json_member(arguments, token + (strchr("\"@#+%", *token) != NULL));
	const char *text = json_str(value, NULL);

	if (!strcmp(token, "on"))
		return append_on(out, arguments);
	if (!strcmp(token, "from"))
		return append_element(out, arguments, "startElement", "startTarget");
	if (!strcmp(token, "to"))
		return append_element(out, arguments, "endElement", "endTarget");
	if (!strcmp(token, "fields"))
		return append_fields(out, json_member(arguments, "fields"));
	if (*token == '"')
		return append_quoted_text(out, text);
	if (*token == '%')
		return arguments_append_key(out, text);
	if (*token == '+' && json_type(value) == JSON_ARRAY)
		str_append_uint(out, json_count(value));
	else if (*token == '@' && text)
		shown_address(out, text);
	else if (*token == '#' && text)
		arguments_append_length(out, text);
	else
		return strchr("@#+", *token) ? false : append_plain(out, value);
	return true;
}

/* Appends the words up to `end`, or its NUL; false: an argument in it is missing. */
static bool arguments_append_words(struct str *out, const char *from, char end, const struct json *arguments)
{
	bool complete = true;
	char token[32];

	for (const char *p = from; *p && *p != end; p++) {
		size_t len = out->len, skipped = strcspn(p, "]");

		if (*p == '[') {
			if (!arguments_append_words(out, p + 1, ']', arguments))
				str_truncate(out, len);
			p += skipped;
		} else if (*p == '{') {
			snprintf(token, sizeof(token), "%.*s", (int)strcspn(p + 1, "}"), p + 1);
			if (!append_token(out, token, arguments)) {
				str_append(out, SHOWN_DOTS);
				complete = false;
			}
			p += strcspn(p, "}");
		} else {
			str_append_char(out, *p);
		}
	}
	return complete;
}

static const char *arguments_words_for(const char *tool)
{
	for (const struct call_words *each = words; each && each->tool; each++)
		if (!strcmp(each->tool, tool))
			return each->words;
	return NULL;
}

/* ---- all other tools ---- */

static void append_argument(struct str *out, const struct json *argument)
{
	shown_text(out, json_name(argument), SHOWN);
	if (json_type(argument) == JSON_STRING) {
		str_append(out, " of ");
		arguments_append_length(out, json_str(argument, NULL));
	} else if (json_type(argument) == JSON_BOOL) {
		str_append(out, json_bool(argument, NULL, false) ? ": yes" : ": no");
	}
}

static void append_names(struct str *out, const struct tool *tool, const struct json *arguments)
{
	unsigned count = 0;

	shown_text(out, tool->title ? tool->title : tool->name, SHOWN);
	json_foreach(argument, arguments) {
		if (count == NAMES_SHOWN) {
			str_append(out, ", " SHOWN_DOTS);
			break;
		}
		if (!strcmp(json_name(argument), "sessionId"))
			continue;
		str_append(out, count++ ? ", " : ": ");
		append_argument(out, argument);
	}
}

void arguments_describe(struct str *out, const struct tool *tool, const struct json *arguments)
{
	const char *words_of_tool = arguments_words_for(tool->name);
	_cleanup_(str_done) struct str line = {};
	size_t fits;

	if (words_of_tool)
		arguments_append_words(&line, words_of_tool, '\0', arguments);
	else
		append_names(&line, tool, arguments);
	fits = clip_fit(str_text(&line), line.len, LIMIT_SEEN_LINE - sizeof(SHOWN_DOTS));
	str_append_len(out, str_text(&line), fits);
	if (fits < line.len)
		str_append(out, SHOWN_DOTS);
}
