/* Normalises messages: calls of console.*, console entries of the browser itself, uncaught errors. */
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/normalise.h"
#include "engine/cdp/remote.h"
#include "engine/message.h"
#include "observe/clip.h"
#include "observe/redact.h"

static void append_masked(struct clip *text, const char *said)
{
	_cleanup_(str_done) struct str masked = {};

	str_append(&masked, said);
	redact(&masked);
	clip_append(text, str_text(&masked));
}

static void finish_message(struct journal *j, struct observed *e, const struct json *params, const char *time, struct clip *text)
{
	e->time = json_num(params, time, 0);
	e->message.text = journal_text(j, e->is_private ? REDACTED_PRIVATELY : clip_text(text), SIZE_MAX);
	journal_done(j, e);
}

/* Arguments are masked one by one, because masking changes their lengths and the end of each is recorded. */
static void argument_text(struct clip *text, const struct json *arg)
{
	_cleanup_(clip_done) struct clip whole = { .limit = LIMIT_OBSERVED_TEXT_MAX };

	if (!redact_active()) {
		remote_text(text, arg);
		return;
	}
	remote_text(&whole, arg);
	redact(&whole.text);
	clip_append(text, str_text(&whole.text));
	text->missing += whole.missing;
}

/* Records the ends only of arguments that begin within the limit. */
static void arguments_text(struct journal *j, struct observed_message *m, struct clip *text, const struct json *args)
{
	size_t count = MIN(json_count(args), (size_t)LIMIT_OBSERVED_ARGUMENTS_COUNT);
	uint32_t *ends = journal_alloc(j, count * sizeof(*ends));
	bool kept;

	json_foreach(arg, args) {
		if (arg != json_first(args))
			clip_append(text, " ");
		kept = m->arguments < count && !text->missing;
		argument_text(text, arg);
		if (kept)
			ends[m->arguments++] = (uint32_t)text->text.len;
	}
	m->argument_ends = ends;
}

void normalise_console(struct journal *j, const char *session, const struct json *params)
{
	_cleanup_(clip_done) struct clip text = { .limit = LIMIT_OBSERVED_TEXT };
	const struct json *top = json_first(json_get(params, "stackTrace.callFrames"));
	struct observed *e;

	e = engine_add_message(j, OBSERVED_CONSOLE, session, json_text(params, "type"), top);
	if (!e->is_private)
		arguments_text(j, &e->message, &text, json_get(params, "args"));
	finish_message(j, e, params, "timestamp", &text);
}

void normalise_log(struct journal *j, const char *session, const struct json *params)
{
	_cleanup_(clip_done) struct clip text = { .limit = LIMIT_OBSERVED_TEXT };
	const struct json *entry = json_get(params, "entry");
	struct observed *e;

	if (strcmp(json_text(entry, "source"), "worker") == 0) /* the worker's own session reports it */
		return;
	e = engine_add_message(j, OBSERVED_LOG, session, json_text(entry, "level"), entry);
	append_masked(&text, json_text(entry, "text"));
	finish_message(j, e, entry, "timestamp", &text);
}

/* The text of an error: its stack, or its message alone if it has no stack. */
static void error_text(struct clip *text, const char *description)
{
	const char *colon = strchr(description, ':');

	if (!strncmp(description, "    at", 6) || strstr(description, "\n    at") || !colon || !colon[1])
		clip_append(text, description);
	else
		clip_append(text, colon + 2);
}

/* For scripts of other origins the browser withholds the error object ("Script error."), so append the position. */
static void details_text(struct clip *text, const struct json *details)
{
	clip_append(text, json_text(details, "text"));
	json_foreach(f, json_get(details, "stackTrace.callFrames")) {
		_cleanup_(str_done) struct str line = {};
		const char *function = json_text(f, "functionName");

		str_appendf(&line, "\n    at %s (%s:%d:%d)", *function ? function : "<anonymous>", json_text(f, "url"),
			    engine_position(f, "lineNumber") + 1, engine_position(f, "columnNumber") + 1);
		clip_append(text, line.data);
	}
}

void normalise_exception(struct journal *j, const char *session, const struct json *params)
{
	_cleanup_(clip_done) struct clip text = { .limit = LIMIT_OBSERVED_TEXT }, said = { .limit = LIMIT_OBSERVED_TEXT_MAX };
	const struct json *details = json_get(params, "exceptionDetails");
	const struct json *exception = json_get(details, "exception");
	const char *subtype = json_str(exception, "subtype"), *description = json_str(exception, "description");
	struct observed *e;

	e = engine_add_message(j, OBSERVED_EXCEPTION, session, "error", details);
	if (description && subtype && strcmp(subtype, "error") == 0)
		error_text(&said, description);
	else if (description)
		clip_append(&said, description);
	else if (exception)
		remote_text(&said, exception);
	else
		details_text(&said, details);
	append_masked(&text, clip_text(&said));
	finish_message(j, e, params, "timestamp", &text);
}
