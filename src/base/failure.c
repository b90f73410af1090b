#include "base/failure.h"

#include <stdio.h>
#include <string.h>

/* Name and words of each reason in turn. In a position-independent program, pointers to them would take another 64 bytes a row. */
static const char reason_texts[] =
#define REASON_TEXTS(id, name, words) name "\0" words "\0"
	REASONS(REASON_TEXTS);

static const char *text_after(const char *text)
{
	return text + strlen(text) + 1;
}

static const char *words_of(enum reason reason)
{
	const char *name = reason_texts;

	for (enum reason i = REASON_NONE; i < reason; i++)
		name = text_after(text_after(name));
	return text_after(name);
}

enum reason reason_from_name(const char *name)
{
	enum reason reason = REASON_NONE;

	for (const char *p = reason_texts; name && *name && p < reason_texts + sizeof(reason_texts) - 1;
	     p = text_after(text_after(p))) {
		if (strcmp(p, name) == 0)
			return reason;
		reason++;
	}
	return REASON_NONE;
}

#define DEPTH_MAX 8 /* obstacles and lists in each other; facts come from pages, and deeper ones are left out */

static void print_obstacle(struct str *out, const struct json *obstacle, unsigned depth);

static bool print_fact(struct str *out, const struct json *fact, unsigned depth)
{
	if (depth > DEPTH_MAX)
		return false;
	switch (json_type(fact)) {
	case JSON_STRING:
		str_append(out, json_str(fact, NULL));
		return true;
	case JSON_NUMBER:
		str_append_int(out, json_int(fact, NULL, 0));
		return true;
	case JSON_ARRAY:
		json_foreach(item, fact) {
			str_append(out, item == json_first(fact) ? "" : ", ");
			print_fact(out, item, depth + 1);
		}
		return true;
	case JSON_OBJECT:
		print_obstacle(out, fact, depth + 1);
		return true;
	default:
		return false;
	}
}

/* Prints the words up to a closing bracket or the end, and returns where they stop. `*complete` is set to false if a fact is missing. */
static const char *print_words(struct str *out, const char *words, const struct json *facts, unsigned depth, bool *complete)
{
	while (*words && *words != ']') {
		size_t plain = strcspn(words, "{[]"), before;
		bool has_all = true;

		str_append_len(out, words, plain);
		words += plain;
		before = out->len;
		if (*words == '[') {
			words = print_words(out, words + 1, facts, depth, &has_all) + 1;
			if (!has_all)
				str_truncate(out, before);
		} else if (*words == '{') {
			char name[16];
			size_t length = strcspn(words, "}") - 1;

			snprintf(name, sizeof(name), "%.*s", (int)length, words + 1);
			*complete &= print_fact(out, json_get(facts, name), depth);
			words += length + 2;
		}
	}
	return words;
}

enum reason obstacle_reason(const struct json *obstacle)
{
	return reason_from_name(json_str(obstacle, "reason"));
}

static void print_obstacle(struct str *out, const struct json *obstacle, unsigned depth)
{
	print_words(out, words_of(obstacle_reason(obstacle)), obstacle, depth, &(bool){ true });
	if (json_bool(obstacle, "onArrival", false))
		str_append(out, " when the mouse arrived");
}

void obstacle_print(struct str *out, const struct json *obstacle)
{
	print_obstacle(out, obstacle, 0);
}

static void print_timeout(struct str *out, const struct json *facts)
{
	const char *subject = json_str(facts, "subject");
	const struct json *before = json_get(facts, "before");

	str_appendf(out, "Timeout %lld ms exceeded, ", (long long)json_int(facts, "waited", 0));
	str_append(out, subject ? subject : "nothing was ");
	str_append(out, subject ? " could not be " : "");
	str_appendf(out, "%s: ", json_text(facts, "done"));
	obstacle_print(out, json_get(facts, "why"));
	json_foreach(obstacle, before) {
		str_append(out, obstacle == json_first(before) ? " (before that: " : "; ");
		obstacle_print(out, obstacle);
	}
	str_append(out, json_first(before) ? ")" : "");
}

void failure_print(struct str *out, enum reason reason, const struct json *facts)
{
	if (reason == REASON_ACTION_TIMEOUT)
		print_timeout(out, facts);
	else
		print_words(out, words_of(reason), facts, 0, &(bool){ true });
}

static void print_quoted(struct str *out, const struct json *obstacle)
{
	_cleanup_(str_done) struct str words = {};

	obstacle_print(&words, obstacle);
	str_append_quoted(out, str_text(&words), words.len);
}

/* `before` and `why` as words, in the order in which the obstacles were met. */
static void print_obstacles(struct str *out, const struct json *facts)
{
	str_append(out, "{\"obstacles\":[");
	json_foreach(obstacle, json_get(facts, "before")) {
		print_quoted(out, obstacle);
		str_append_char(out, ',');
	}
	print_quoted(out, json_get(facts, "why"));
	str_append_char(out, ']');
	if (json_get(facts, "matches"))
		str_json(out, ", matches: ?", json_int(facts, "matches", 0));
	str_append_char(out, '}');
}

void failure_print_details(struct str *out, enum reason reason, const struct json *facts)
{
	if (reason == REASON_ACTION_TIMEOUT)
		print_obstacles(out, facts);
	else if (reason >= REASON_DOWNLOAD_STARTED && reason <= REASON_NETWORK_ERROR)
		json_print(out, facts);
}
