/* Links in Markdown whose texts are those of pages. */
#include <string.h>

#include "reply/response.h"

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
