#include "base/log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/limits.h"
#include "base/mask.h"
#include "base/str.h"

const char *const log_level_table[] = {
	"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", NULL,
};

static enum log_level stderr_lowest = LOG_INFO;
static LIST_HEAD(, log_sink) sinks = LIST_HEAD_INITIALIZER(sinks);
static const char *program = "browserd";
static bool in_sink, as_json;

/* A message that waits for log_release(). */
struct held {
	STAILQ_ENTRY(held) link;
	enum log_level level;
	const char *file;
	struct str text;
};

static STAILQ_HEAD(, held) held = STAILQ_HEAD_INITIALIZER(held);
static unsigned held_count;
static bool holds;

int log_level_parse(const char *name)
{
	for (int i = 0; name && log_level_table[i]; i++)
		if (!strcmp(log_level_table[i], name))
			return i;
	return -EINVAL;
}

void log_set_level(enum log_level lowest)
{
	stderr_lowest = lowest;
}

enum log_level log_get_level(void)
{
	return stderr_lowest;
}

void log_set_program(const char *name)
{
	program = name;
}

const char *log_program(void)
{
	return program;
}

void log_set_json(bool json)
{
	as_json = json;
}

bool log_is_json(void)
{
	return as_json;
}

void log_add_sink(struct log_sink *sink)
{
	LIST_INSERT_HEAD(&sinks, sink, link);
}

void log_remove_sink(struct log_sink *sink)
{
	LIST_REMOVE(sink, link);
}

static bool wanted(enum log_level level)
{
	struct log_sink *s;

	if (holds || level >= stderr_lowest)
		return true;
	LIST_FOREACH(s, &sinks, link)
		if (level >= s->lowest)
			return true;
	return false;
}

/* Writes the line in one write(2), so that lines of several processes on one terminal do not mix. */
static void log_write_line(const struct str *line)
{
	ssize_t written = write(STDERR_FILENO, line->data, line->len);

	(void)written; /* a failure to write to stderr cannot be reported */
}

static void log_write_text(enum log_level level, const char *text)
{
	_cleanup_(str_done) struct str line = {};

	str_appendf(&line, "%s: %s: ", program, log_level_table[level]);
	for (const char *p = text; *p; p++) /* a page must not forge lines or drive the terminal */
		str_append_char(&line, (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p);
	str_append_char(&line, '\n');
	log_write_line(&line);
}

/* The folder that a source file is in. */
static void append_component(const char *file, struct str *out)
{
	const char *end = strrchr(file, '/'), *start = end;

	while (start && start > file && start[-1] != '/')
		start--;
	str_append_quoted(out, start ? start : "browserd", start ? (size_t)(end - start) : strlen("browserd"));
}

/* The members that browserd itself writes are not masked. */
static const struct mask_exemption line_exempt[] = { { 1, "timestamp" }, { 1, "level" }, { 1, "component" }, { 1, "event" }, {} };

/* `details` holds the members of an object, without braces. */
static void write_json(enum log_level level, const char *file, const char *event, const char *session_id, const char *details)
{
	_cleanup_(str_done) struct str line = {};
	char timestamp[CLOCK_TEXT_SIZE];

	clock_print(clock_unix_msec(), timestamp);
	str_json(&line, "{timestamp: ?, level: ?, component: ", timestamp, log_level_table[level]);
	append_component(file, &line);
	str_json(&line, ", event: ?", event);
	if (session_id)
		str_json(&line, ", sessionId: ?", session_id);
	str_json(&line, ", details: {?}}", JSON_RAW(details));
	mask_json(&line, line_exempt, NULL);
	str_append_char(&line, '\n');
	log_write_line(&line);
}

static void write_stderr(enum log_level level, const char *file, const char *text)
{
	_cleanup_(str_done) struct str details = {};

	if (!as_json) {
		log_write_text(level, text);
		return;
	}
	str_json(&details, "message: ?", text);
	write_json(level, file, "message", NULL, details.data);
}

static void write_sinks(enum log_level level, const char *text)
{
	struct log_sink *s, *next;

	if (in_sink)
		return;
	in_sink = true;
	for (s = LIST_FIRST(&sinks); s; s = next) {
		next = LIST_NEXT(s, link); /* a sink may remove itself */
		if (level >= s->lowest)
			s->write(s, level, text);
	}
	in_sink = false;
}

/* Masks the text as well: the secrets may not have been known before. */
static void log_write_message(enum log_level level, const char *file, struct str *text)
{
	mask_text(text);
	if (level >= stderr_lowest)
		write_stderr(level, file, str_text(text));
	write_sinks(level, str_text(text));
}

static void hold_message(enum log_level level, const char *file, struct str *text)
{
	struct held *h = must(malloc(sizeof(*h)));

	*h = (struct held){ .level = level, .file = file };
	str_move(&h->text, text);
	STAILQ_INSERT_TAIL(&held, h, link);
	if (++held_count == LIMIT_LOG_HELD_COUNT)
		log_release();
}

void log_hold(void)
{
	holds = true;
}

void log_release(void)
{
	struct held *h;

	holds = false;
	held_count = 0;
	while ((h = STAILQ_FIRST(&held))) {
		STAILQ_REMOVE_HEAD(&held, link);
		log_write_message(h->level, h->file, &h->text);
		str_done(&h->text);
		free(h);
	}
}

void log_write_from(enum log_level level, const char *file, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = {};
	int saved_errno = errno;
	va_list ap;

	if (!wanted(level))
		return;
	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	if (holds)
		hold_message(level, file, &text);
	else
		log_write_message(level, file, &text);
	errno = saved_errno;
}

void log_event_values(const char *file, const char *event, const char *session_id, uint64_t types, const char *template, ...)
{
	_cleanup_(str_done) struct str details = {}, text = {};
	va_list ap;

	if (stderr_lowest > LOG_INFO)
		return;
	va_start(ap, template);
	str_vjson(&details, types, template, ap);
	va_end(ap);
	if (as_json) {
		write_json(LOG_INFO, file, event, session_id, str_text(&details));
		return;
	}
	str_appendf(&text, "%s {%s}%s%s", event, str_text(&details), session_id ? " in session " : "",
		    session_id ? session_id : "");
	mask_text(&text);
	log_write_text(LOG_INFO, text.data);
}

/* Whether the pattern, in which * stands for any text, matches the whole name. */
static bool matches_debug_pattern(const char *pattern, size_t len, const char *name)
{
	const char *end = pattern + len, *star = NULL, *resume = NULL;

	while (*name)
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			resume = name;
		} else if (pattern < end && *pattern == *name) {
			pattern++;
			name++;
		} else if (star) { /* the last * takes one character more */
			pattern = star;
			name = ++resume;
		} else {
			return false;
		}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

/* Patterns are separated by blanks or commas; what one that begins with a minus matches is left out. */
static bool is_debugged(const char *name)
{
	const char *patterns = getenv("DEBUG");
	bool found = false, excluded = false;

	for (size_t len; patterns && *patterns; patterns += len) {
		bool minus;

		patterns += strspn(patterns, " ,\t\n");
		len = strcspn(patterns, " ,\t\n");
		minus = *patterns == '-';
		if (len > minus && matches_debug_pattern(patterns + minus, len - minus, name))
			*(minus ? &excluded : &found) = true;
	}
	return found && !excluded;
}

/* Whether a variable of the debug package is on: by one of its words, or a number. */
static bool is_switched_on(const char *variable)
{
	static const char *const words[] = { "yes", "on", "true", "enabled" };
	const char *value = getenv(variable);
	char *end = NULL;
	double number;

	for (size_t i = 0; value && i < ARRAY_SIZE(words); i++)
		if (!strcasecmp(value, words[i]))
			return true;
	number = value ? strtod(value, &end) : 0;
	return number != 0 && number == number && !*end;
}

void log_debugged(const char *name, const char *fmt, ...)
{
	_cleanup_(str_done) struct str line = {};
	char timestamp[CLOCK_TEXT_SIZE];
	va_list ap;

	if (as_json || !is_debugged(name))
		return;
	clock_print(clock_unix_msec(), timestamp);
	if (!is_switched_on("DEBUG_HIDE_DATE"))
		str_appendf(&line, "%s ", timestamp);
	str_appendf(&line, "%s ", name);
	va_start(ap, fmt);
	str_vappendf(&line, fmt, ap);
	va_end(ap);
	str_append_char(&line, '\n');
	log_write_line(&line);
}
