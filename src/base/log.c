#include "base/log.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"

const char *const log_level_table[] = {
	"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", NULL,
};

static enum log_level stderr_lowest = LOG_INFO;
static LIST_HEAD(, log_sink) sinks = LIST_HEAD_INITIALIZER(sinks);
static bool in_sink;

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

	if (level >= stderr_lowest)
		return true;
	LIST_FOREACH(s, &sinks, link)
		if (level >= s->lowest)
			return true;
	return false;
}

/* One write(2) for the line, so that lines of several processes on one terminal do not mix. */
static void write_stderr(enum log_level level, const char *text)
{
	_cleanup_(str_done) struct str line = {};
	ssize_t written;

	str_appendf(&line, "browserd: %s: ", log_level_table[level]);
	for (const char *p = text; *p; p++) /* a page must not forge lines or drive the terminal */
		str_append_char(&line, (unsigned char)*p < ' ' || *p == 0x7f ? ' ' : *p);
	str_append_char(&line, '\n');
	written = write(STDERR_FILENO, line.data, line.len);
	(void)written; /* nowhere to complain */
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

void log_write(enum log_level level, const char *fmt, ...)
{
	_cleanup_(str_done) struct str text = {};
	int saved_errno = errno;
	va_list ap;

	if (!wanted(level))
		return;
	va_start(ap, fmt);
	str_vappendf(&text, fmt, ap);
	va_end(ap);
	if (level >= stderr_lowest)
		write_stderr(level, str_text(&text));
	write_sinks(level, str_text(&text));
	errno = saved_errno;
}
