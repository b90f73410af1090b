/* Operations of run_code programs on files of the client. */
#include <sys/stat.h>

#include "act/evaluate.h"
#include "base/base64.h"
#include "base/limits.h"
#include "engine/dialogs.h"
#include "page/rest.h"
#include "reply/output.h"
#include "runcode/operation.h"

static int file_operations_give_file(struct operation_call *c, const char *name, const char **ret_path)
{
	struct output_file f;
	struct stat st;
	int r, fd;

	r = output_find(c->call.t, &c->call.files, name, &f);
	if (r < 0)
		return r;
	fd = output_look(c->call.t, &f, &st);
	return fd < 0 ? fd : output_give_to_pages(c->call.t, session_context(c->session), &f, fd, ret_path);
}

static int list_files(struct operation_call *c, struct str *list)
{
	const char *path;
	int r;

	json_foreach(name, json_get(c->message, "paths")) {
		r = file_operations_give_file(c, json_str(name, NULL) ? json_str(name, NULL) : "", &path);
		if (r < 0)
			return r;
		str_json(list, "? ?", JSON_RAW(list->len ? "," : "["), path);
	}
	str_append(list, list->len ? "]" : "[]");
	return 0;
}

static int run_files(struct operation_call *c)
{
	_cleanup_(found_target_done) struct found_target found = {};
	_cleanup_(str_done) struct str list = {};
	int r;

	r = list_files(c, &list);
	if (r == 0)
		r = operation_find(c, &found);
	if (r == 0)
		r = page_expect_files(c->call.t, frame_page(found.target.frame));
	return r < 0 ? r : engine_give_files(c->call.t, frame_engine(found.target.frame), found.target.ref, list.data);
}

/* The contents of a file as base64. */
static int run_read_file(struct operation_call *c)
{
	_cleanup_(str_done) struct str data = {}, text = {};
	struct output_file f;
	int r = output_find(c->call.t, &c->call.files, operation_text(c, "path"), &f);

	if (r == 0)
		r = output_read(c->call.t, &f, LIMIT_ROUTE_BODY, &data);
	if (r < 0)
		return r;
	base64_encode(&text, (const uint8_t *)str_text(&data), data.len);
	str_json(&c->value, "?", str_text(&text));
	return 0;
}

const struct operation file_operations[] = {
	{ "files", run_files, .acts = true },
	{ "readFile", run_read_file, .scheduling = OPERATION_CONCURRENT, .no_page = true, .between_runs = true },
	{},
};
