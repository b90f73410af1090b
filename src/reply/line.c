/* Lines of answers, and texts of pages as they may stand in them. */
#include <string.h>

#include "base/display.h"
#include "reply/response.h"
#include "reply/writer.h"

void response_add(struct str *lines, const char *fmt, ...)
{
	va_list ap;

	if (lines->len)
		str_append_char(lines, '\n');
	va_start(ap, fmt);
	str_vappendf(lines, fmt, ap);
	va_end(ap);
}

const char *response_line(struct task *t, const char *text)
{
	_cleanup_(str_done) struct str line = {};

	display_line(&line, text);
	return arena_strdup(task_arena(t), str_text(&line));
}

const char *response_text(const struct response *r, const char *text)
{
	_cleanup_(str_done) struct str shown = {};

	display_text(&shown, text, r->settings->writer->beside);
	return arena_strdup(task_arena(r->t), str_text(&shown));
}

const char *response_row(struct task *t, const char *text)
{
	_cleanup_(str_done) struct str row = {};

	display_row(&row, text);
	return arena_strdup(task_arena(t), str_text(&row));
}

const char *response_link_title(struct task *t, const char *title)
{
	_cleanup_(str_done) struct str out = {};
	const char *line = response_line(t, title);
	size_t len = strlen(line);

	if (!strstr(line, "](") && !(len && line[len - 1] == '\\'))
		return line;
	for (; *line; line++) {
		if (strchr("[]\\", *line))
			str_append_char(&out, '\\');
		str_append_char(&out, *line);
	}
	return arena_strdup(task_arena(t), out.data);
}

const char *response_link_address(struct task *t, const char *url)
{
	_cleanup_(str_done) struct str out = {};
	const char *line = response_line(t, url);

	if (!strstr(line, "](") && !strstr(line, ") "))
		return line;
	for (; *line; line++)
		if (strchr("[]() ", *line))
			str_appendf(&out, "%%%02X", (unsigned)*line);
		else
			str_append_char(&out, *line);
	return arena_strdup(task_arena(t), out.data);
}
