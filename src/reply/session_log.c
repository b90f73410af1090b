#include "reply/session_log.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/mask.h"
#include "loop/failure_words.h"

static int find_log(struct task *t, const struct file_access *files, int64_t began, const char *name, struct output_file *ret)
{
	struct output_file folder;
	int r;

	r = output_downloads(t, files, &folder);
	if (r < 0)
		return r;
	return output_find(t, files, arena_printf(task_arena(t), "%s/session-%lld%s", folder.path, (long long)began, name), ret);
}

int64_t session_log_begin(struct task *t, const struct file_access *files)
{
	int64_t began = clock_unix_msec();
	struct output_file folder;
	int r;

	if (!files->may_write)
		return 0;
	r = find_log(t, files, began, "", &folder);
	if (r < 0) {
		log_warning("calls are not recorded: %s", failure_words(t, r));
		return 0;
	}
	if (log_is_json())
		log_notice("Session: %s", folder.path);
	else
		fprintf(stderr, "Session: %s\n", folder.path);
	return began;
}

static void session_log_append_block(struct str *out, const char *title, const char *object)
{
	_cleanup_(json_freep) struct json *value = NULL;

	str_appendf(out, "- %s\n```json\n", title);
	if (json_parse(object, strlen(object), LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value) == 0)
		json_print_indented(out, value);
	str_append(out, "\n```\n");
}

void session_log_print(struct str *out, const char *tool, const char *arguments, const char *answer)
{
	str_appendf(out, "\n### Tool call: %s\n", tool);
	session_log_append_block(out, "Args", arguments);
	session_log_append_block(out, "Result", answer);
	mask_text(out);
}

void session_log_append(struct task *t, const struct file_access *files, int64_t began, const char *tool, const char *arguments,
			const char *answer)
{
	_cleanup_(str_done) struct str text = {};
	struct output_file f;
	int r;

	session_log_print(&text, tool, arguments, answer);
	r = find_log(t, files, began, "/session.md", &f);
	if (r == 0)
		r = output_write(t, files, &f, text.data, text.len, true);
	if (r < 0)
		log_warning("a call was not recorded: %s", failure_words(t, r));
}
