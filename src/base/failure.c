#include "base/failure.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"

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

static bool print_hint(struct str *out, const struct hint *hints, const char *name)
{
	while (hints && hints->name && strcmp(hints->name, name) != 0)
		hints++;
	if (!hints || !hints->name)
		return false;
	str_append(out, hints->words);
	return true;
}

/* Prints the words up to a closing bracket or the end, and returns where they stop. `*complete` is set to false if a fact is missing. */
static const char *print_words(struct str *out, const char *words, const struct json *facts, const struct hint *hints,
			       unsigned depth, bool *complete)
{
	while (*words && *words != ']') {
		size_t plain = strcspn(words, "{[]"), before;
		bool has_all = true;

		str_append_len(out, words, plain);
		words += plain;
		before = out->len;
		if (*words == '[') {
			words = print_words(out, words + 1, facts, hints, depth, &has_all) + 1;
			if (!has_all)
				str_truncate(out, before);
		} else if (*words == '{') {
			char name[16];
			size_t length = strcspn(words, "}") - 1;

			snprintf(name, sizeof(name), "%.*s", (int)length, words + 1);
			*complete &= print_fact(out, json_get(facts, name), depth) || print_hint(out, hints, name);
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
	print_words(out, words_of(obstacle_reason(obstacle)), obstacle, NULL, depth, &(bool){ true });
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

void reason_print(struct str *out, enum reason reason, const struct json *facts, const struct hint *hints)
{
	if (reason == REASON_ACTION_TIMEOUT)
		print_timeout(out, facts);
	else
		print_words(out, words_of(reason), facts, hints, 0, &(bool){ true });
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

void failure_reset(struct failure *f, int code)
{
	f->code = code;
	f->reason = REASON_NONE;
	str_reset(&f->text);
	str_reset(&f->facts);
	str_reset(&f->details);
	str_reset(&f->around);
}

void failure_done(struct failure *f)
{
	str_done(&f->text);
	str_done(&f->facts);
	str_done(&f->details);
	str_done(&f->around);
	*f = (struct failure){};
}

void failure_vset(struct failure *f, int code, const char *fmt, va_list ap)
{
	struct str text = {};

	str_vappendf(&text, fmt, ap);
	failure_reset(f, code);
	str_move(&f->text, &text);
}

void failure_set(struct failure *f, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	failure_vset(f, code, fmt, ap);
	va_end(ap);
}

void failure_vset_because(struct failure *f, int code, enum reason reason, uint64_t types, const char *template, va_list ap)
{
	failure_reset(f, code);
	f->reason = reason;
	str_vjson(&f->facts, types, template, ap);
}

static void copy_text(struct str *to, const struct str *from)
{
	str_reset(to);
	str_append_len(to, str_text(from), from->len);
}

void failure_copy(struct failure *to, const struct failure *from)
{
	to->code = from->code;
	to->reason = from->reason;
	copy_text(&to->text, &from->text);
	copy_text(&to->facts, &from->facts);
	copy_text(&to->details, &from->details);
	copy_text(&to->around, &from->around);
}

void failure_wrap(struct failure *f, int code, const char *before, const char *after)
{
	size_t size = strlen(before) + strlen(after) + 2;

	f->code = code;
	if (size == 2 || f->around.len + size > LIMIT_FAILURE_WRAPS)
		return;
	str_append_len(&f->around, before, strlen(before) + 1);
	str_append_len(&f->around, after, strlen(after) + 1);
}

struct json *failure_facts(const struct failure *f)
{
	struct json *facts = NULL;

	if (f->facts.len)
		(void)json_parse(f->facts.data, f->facts.len, JSON_DEPTH_MAX, JSON_REPLACE_UNREPRESENTABLE, &facts);
	return facts;
}

void failure_print(struct str *out, const struct failure *f, const struct hint *hints)
{
	_cleanup_(json_freep) struct json *facts = failure_facts(f);
	_cleanup_(str_done) struct str words = {};
	const char *before = f->around.data;

	if (facts)
		reason_print(&words, f->reason, facts, hints);
	else
		str_append_len(&words, str_text(&f->text), f->text.len);
	while (before && before < f->around.data + f->around.len) {
		const char *after = text_after(before);

		str_prepend(&words, before, strlen(before));
		str_append(&words, after);
		before = text_after(after);
	}
	str_append_len(out, str_text(&words), words.len);
}

void failure_print_details(struct str *out, const struct failure *f)
{
	_cleanup_(json_freep) struct json *facts = failure_facts(f);

	if (f->details.len)
		str_append_len(out, f->details.data, f->details.len);
	else if (f->reason == REASON_ACTION_TIMEOUT)
		print_obstacles(out, facts);
	else if (f->reason >= REASON_DOWNLOAD_STARTED && f->reason <= REASON_NETWORK_ERROR)
		json_print(out, facts);
}
