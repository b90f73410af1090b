#include "reply/shorten.h"

#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/mask.h"

#define PART_LEAST 200u    /* bytes of each text, however many there are */
#define PART_LINES_LEAST 5 /* the same in lines */

void rests_init(struct cursors *rests)
{
	cursors_init(rests);
	rests->letter = 'a';
	rests->limit = LIMIT_REST_BYTES;
}

void rests_done(struct cursors *rests)
{
	cursors_done(rests);
}

/* What is left for the texts that follow. */
struct room {
	size_t bytes, lines;
};

static size_t shorten_count_lines(const char *text)
{
	size_t count = 1;

	while ((text = strchr(text, '\n'))) {
		count++;
		text++;
	}
	return count;
}

static void shorten_take(struct room *room, const char *text)
{
	room->bytes -= MIN(room->bytes, strlen(text));
	room->lines -= MIN(room->lines, shorten_count_lines(text));
}

/* The text of an element of the content; NULL: it is something else. The caller frees `*ret`. */
static const char *shorten_text_of(const char *element, size_t len, struct json **ret)
{
	if (json_parse(element, len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, ret) < 0)
		return NULL;
	return strcmp(json_text(*ret, "type"), "text") == 0 ? json_str(*ret, "text") : NULL;
}

/* A picture is not read as JSON, because it may have megabytes. */
static bool shorten_is_text(const char *element, size_t len)
{
	static const char word[] = "\"text\"";
	size_t type_len;
	const char *type = json_raw(element, len, "type", &type_len);

	return type && type_len == strlen(word) && memcmp(type, word, type_len) == 0;
}

static void shorten_add_text(struct cursors *rests, const char *whole, struct room *room, struct result *res)
{
	_cleanup_(str_done) struct str text = {}, shown = {}, note = {};

	str_append(&text, whole);
	mask_text(&text); /* a part of a secret would not be recognised */
	if (res->is_error && !res->structured.len && text.len && text.data[0] == '{')
		str_append_len(&res->structured, text.data, text.len);
	cursors_cut_apart(rests, str_text(&text), text.len, MAX(room->bytes, (size_t)PART_LEAST),
			  MAX(room->lines, (size_t)PART_LINES_LEAST), true, &shown, &note);
	result_text(res, str_text(&shown));
	shorten_take(room, str_text(&shown));
	if (!note.len)
		return;
	result_text(res, note.data);
	shorten_take(room, note.data);
}

static void add_raw(struct result *res, const char *element, size_t len)
{
	if (res->content.len)
		str_append_char(&res->content, ',');
	str_append_len(&res->content, element, len);
}

/* Whether the texts have more than there is room for. Most answers are so short that this needs no look into them. */
static bool shorten_is_long(const struct str *array)
{
	struct room room = { LIMIT_ANSWER, LIMIT_ANSWER_LINES_COUNT };
	size_t at = 0, len, bytes = 0, lines = 0;
	const char *element;

	if (array->len <= LIMIT_ANSWER_LINES_COUNT)
		return false;
	while ((element = json_raw_next(array->data, array->len, &at, &len))) {
		_cleanup_(json_freep) struct json *item = NULL;
		const char *text = shorten_is_text(element, len) ? shorten_text_of(element, len, &item) : NULL;

		bytes += text ? strlen(text) : 0;
		lines += text ? shorten_count_lines(text) : 0;
	}
	return bytes > room.bytes || lines > room.lines;
}

void answer_shorten(struct cursors *rests, struct result *res)
{
	struct room room = { LIMIT_ANSWER, LIMIT_ANSWER_LINES_COUNT };
	_cleanup_(str_done) struct str array = {};
	size_t at = 0, len;
	const char *element;

	str_appendf(&array, "[%s]", str_text(&res->content));
	if (!shorten_is_long(&array))
		return;
	str_reset(&res->content);
	while ((element = json_raw_next(array.data, array.len, &at, &len))) {
		_cleanup_(json_freep) struct json *item = NULL;
		const char *text = shorten_is_text(element, len) ? shorten_text_of(element, len, &item) : NULL;

		if (text)
			shorten_add_text(rests, text, &room, res);
		else
			add_raw(res, element, len);
	}
}
