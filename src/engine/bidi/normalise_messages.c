/* Normalises entries of the log. */
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "engine/bidi/normalise.h"
#include "engine/bidi/remote.h"
#include "engine/message.h"
#include "observe/clip.h"
#include "observe/redact.h"

/* Frames of a stack have lines and columns from 0. */
static struct observed *add_entry(struct journal *j, enum observed_kind kind, const char *session, const char *type,
				  const struct json *entry)
{
	struct observed *e = engine_add_message(j, kind, session, type, json_first(json_get(entry, "stackTrace.callFrames")));

	e->time = json_num(entry, "timestamp", 0);
	return e;
}

static void finish_entry(struct journal *j, struct observed *e, struct clip *text)
{
	e->message.text = journal_text(j, e->is_private ? REDACTED_PRIVATELY : clip_text(text), SIZE_MAX);
	journal_done(j, e);
}

/* ---- calls of the console ---- */

/* How Firefox writes a value in the text of an entry; false: only there, which is so of errors. */
static bool written_text(struct str *out, const struct json *v)
{
	const char *type = json_text(v, "type");
	bool is_counted =
		strcmp(type, "object") == 0 || strcmp(type, "array") == 0 || strcmp(type, "map") == 0 || strcmp(type, "set") == 0;

	if (strcmp(type, "error") == 0)
		return false;
	if (is_counted && json_get(v, "value"))
		str_appendf(out, "%c%s(%zu)", type[0] - 'a' + 'A', type + 1, json_count(json_get(v, "value")));
	else if (strcmp(type, "regexp") == 0)
		str_appendf(out, "/%s/%s", json_text(v, "value.pattern"), json_text(v, "value.flags"));
	else if (json_str(v, "value"))
		str_append(out, json_text(v, "value"));
	else if (strcmp(type, "number") == 0 || strcmp(type, "boolean") == 0)
		json_print(out, json_get(v, "value"));
	else
		str_append(out, type);
	return true;
}

/*
 * Errors come without their messages, which only the text of the entry has. They lie between what the values before and behind them are written
 * as, when those are in their places.
 */
struct error_words {
	unsigned first, last; /* of the errors among the values */
	size_t from, length;  /* of their words in the text; 0: they are not found */
};

static struct error_words find_errors(const struct json *entry, const struct json *values)
{
	const char *text = json_text(entry, "text");
	_cleanup_(str_done) struct str before = {}, behind = {};
	struct error_words w = { .first = UINT32_MAX };
	size_t len = strlen(text);
	unsigned i = 0;

	json_foreach(v, values) {
		struct str *out = w.first == UINT32_MAX ? &before : &behind;

		if (out == &behind)
			str_append_char(&behind, ' ');
		if (written_text(out, v)) {
			if (out == &before)
				str_append_char(&before, ' ');
		} else {
			w.first = MIN(w.first, i);
			w.last = i;
			str_reset(&behind);
		}
		i++;
	}
	if (w.first == UINT32_MAX || before.len + behind.len >= len || strncmp(text, str_text(&before), before.len) != 0 ||
	    strcmp(text + len - behind.len, str_text(&behind)) != 0)
		return w;
	w.from = before.len;
	w.length = len - before.len - behind.len;
	return w;
}

/* Values are masked one by one, because masking changes their lengths and the end of each is recorded. */
static void append_value(struct clip *text, struct clip *whole)
{
	if (redact_active())
		redact(&whole->text);
	clip_append_len(text, str_text(&whole->text), whole->text.len);
	text->missing += whole->missing;
}

static void values_text(struct journal *j, struct observed_message *m, struct clip *text, const struct json *entry)
{
	const struct json *values = json_get(entry, "args");
	size_t count = MIN(json_count(values), (size_t)LIMIT_OBSERVED_ARGUMENTS_COUNT);
	uint32_t *ends = journal_alloc(j, count * sizeof(*ends));
	const struct error_words errors = find_errors(entry, values);
	unsigned i = 0;

	m->argument_ends = ends;
	json_foreach(v, values) {
		_cleanup_(clip_done) struct clip whole = { .limit = LIMIT_OBSERVED_TEXT_MAX };
		bool is_within = errors.length && i > errors.first && i <= errors.last;
		bool kept = m->arguments < count && !text->missing;

		if (i && !is_within)
			clip_append(text, " ");
		if (errors.length && i == errors.first)
			clip_append_len(&whole, json_text(entry, "text") + errors.from, errors.length);
		else if (!is_within)
			bidi_remote_text(&whole, v);
		append_value(text, &whole);
		if (kept)
			ends[m->arguments++] = (uint32_t)text->text.len;
		i++;
	}
}

void bidi_normalise_console(struct journal *j, const char *session, const struct json *entry)
{
	_cleanup_(clip_done) struct clip text = { .limit = LIMIT_OBSERVED_TEXT };
	struct observed *e = add_entry(j, OBSERVED_CONSOLE, session, json_text(entry, "method"), entry);
	bool is_said = e->message.kind == CONSOLE_COUNT || e->message.kind == CONSOLE_TIME_END;

	if (is_said) /* the browser's words, as the argument is only the name of what is counted or timed */
		clip_append(&text, json_text(entry, "text"));
	else if (!e->is_private)
		values_text(j, &e->message, &text, entry);
	finish_entry(j, e, &text);
}

/* ---- errors, and entries of the browser ---- */

static const char thrown_value[] = "uncaught exception: ";

/*
 * BiDi calls both the same. An error has a stack, but for those of the parser and of rejected promises: these begin with the name of their
 * class, and other values with words of the browser.
 */
static bool is_exception(const struct json *entry, const char *text)
{
	size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

	if (strcmp(json_text(entry, "level"), "error") != 0)
		return false;
	return json_get(entry, "stackTrace") || starts_with(text, thrown_value) ||
	       (name >= strlen("Error") && strncmp(text + name - strlen("Error"), "Error:", strlen("Error:")) == 0);
}

/* As Chromium writes a stack. */
static void append_stack(struct clip *text, const struct json *entry)
{
	json_foreach(f, json_get(entry, "stackTrace.callFrames")) {
		_cleanup_(str_done) struct str line = {};
		const char *function = json_text(f, "functionName");
		int at = engine_position(f, "lineNumber") + 1, column = engine_position(f, "columnNumber") + 1;

		if (*function)
			str_appendf(&line, "\n    at %s (%s:%d:%d)", function, json_text(f, "url"), at, column);
		else
			str_appendf(&line, "\n    at %s:%d:%d", json_text(f, "url"), at, column);
		clip_append(text, line.data);
		if (text->missing)
			return;
	}
}

void bidi_normalise_script_entry(struct journal *j, const char *session, const struct json *entry)
{
	_cleanup_(clip_done) struct clip text = { .limit = LIMIT_OBSERVED_TEXT }, said = { .limit = LIMIT_OBSERVED_TEXT_MAX };
	const char *words = json_text(entry, "text");
	bool is_error = is_exception(entry, words), is_value = starts_with(words, thrown_value);
	struct observed *e = add_entry(j, is_error ? OBSERVED_EXCEPTION : OBSERVED_LOG, session, json_text(entry, "level"), entry);

	clip_append(&said, words + (is_error && is_value ? strlen(thrown_value) : 0));
	if (is_error && !is_value)
		append_stack(&said, entry);
	if (redact_active())
		redact(&said.text);
	clip_append(&text, clip_text(&said));
	finish_entry(j, e, &text);
}
