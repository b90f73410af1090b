/* Normalises messages: calls of console.*, console entries of the browser itself, uncaught errors. */
#include <math.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/normalise.h"
#include "engine/cdp/remote.h"
#include "observe/clip.h"
#include "observe/redact.h"

struct message_type {
	const char *name;
	enum message_kind kind;
	enum message_level level;
};

/* The first one for a type that is not known. */
static const struct message_type *find_type(const char *name)
{
	static const struct message_type types[] = {
		{ "log", CONSOLE_LOG, MESSAGE_INFO },
		{ "info", CONSOLE_INFO, MESSAGE_INFO },
		{ "warning", CONSOLE_WARNING, MESSAGE_WARNING },
		{ "error", CONSOLE_ERROR, MESSAGE_ERROR },
		{ "debug", CONSOLE_DEBUG, MESSAGE_DEBUG },
		{ "verbose", CONSOLE_VERBOSE, MESSAGE_DEBUG },
		{ "assert", CONSOLE_ASSERT, MESSAGE_ERROR },
		{ "trace", CONSOLE_TRACE, MESSAGE_DEBUG },
		{ "dir", CONSOLE_DIR, MESSAGE_INFO },
		{ "dirxml", CONSOLE_DIRXML, MESSAGE_INFO },
		{ "table", CONSOLE_TABLE, MESSAGE_INFO },
		{ "clear", CONSOLE_CLEAR, MESSAGE_DEBUG },
		{ "startGroup", CONSOLE_GROUP, MESSAGE_DEBUG },
		{ "startGroupCollapsed", CONSOLE_GROUP_COLLAPSED, MESSAGE_DEBUG },
		{ "endGroup", CONSOLE_GROUP_END, MESSAGE_DEBUG },
		{ "profile", CONSOLE_PROFILE, MESSAGE_DEBUG },
		{ "profileEnd", CONSOLE_PROFILE_END, MESSAGE_DEBUG },
		{ "count", CONSOLE_COUNT, MESSAGE_INFO },
		{ "timeEnd", CONSOLE_TIME_END, MESSAGE_INFO },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].name, name) == 0)
			return &types[i];
	return &types[0];
}

/* The value as an int; 0 if it is no integer or out of range. */
static int position(const struct json *v, const char *path)
{
	double n = json_num(v, path, 0);

	return n == trunc(n) && fabs(n) < 1e9 ? (int)n : 0;
}

/* `place` has url, lineNumber and columnNumber: a stack frame, exception details or a log entry. */
static struct observed *add_message(struct journal *j, enum observed_kind kind, const char *session, const char *type,
				    const struct json *place)
{
	const struct message_type *found = find_type(type);
	struct observed *e = journal_add(j, kind, session);

	e->url = journal_masked(j, json_text(place, "url"), LIMIT_OBSERVED_URL);
	e->message.kind = found->kind;
	e->message.level = found->level;
	e->message.line = position(place, "lineNumber");
	e->message.column = position(place, "columnNumber");
	return e;
}

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
	e->message.text = journal_text(j, clip_text(text), SIZE_MAX);
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

	e = add_message(j, OBSERVED_CONSOLE, session, json_text(params, "type"), top);
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
	e = add_message(j, OBSERVED_LOG, session, json_text(entry, "level"), entry);
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
			    position(f, "lineNumber") + 1, position(f, "columnNumber") + 1);
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

	e = add_message(j, OBSERVED_EXCEPTION, session, "error", details);
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
