#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/error.h"
#include "session/tabs.h"
#include "trace/internal.h"
#include "trace/zip.h"

#define FORMAT_VERSION 10 /* of the viewer in playwright-core 1.64 */

/* ---- the task of the call ---- */

/* What a recording must leave as it was in the task of a call. */
struct trace_scope {
	struct task *t;
	usec_t deadline;
	struct failure failure; /* code 0: there was none */
};

static struct trace_scope trace_enter(struct task *t)
{
	struct trace_scope s = { .t = t, .deadline = task_set_deadline(t, clock_now() + LIMIT_TRACE_TIME) };

	task_keep_failure(t, task_error(t), &s.failure);
	return s;
}

static void trace_leave(struct trace_scope *s)
{
	task_set_deadline(s->t, s->deadline);
	task_fail_of(s->t, &s->failure);
	failure_done(&s->failure);
}

/* ---- start and end ---- */

static void write_context(struct trace *tr, const struct trace_options *o, const struct page *p)
{
	_cleanup_(str_done) struct str line = {};
	int width = 0, height = 0;

	if (p)
		page_viewport(p, &width, &height);
	tr->width = width ? width : 1280;
	tr->height = height ? height : 720;
	str_json(&line,
		 "{version: ?, type: 'context-options', origin: 'library', browserName: 'chromium', playwrightVersion: ?, "
		 "options: {viewport: {width: ?, height: ?}}, platform: 'linux', wallTime: ?, monotonicTime: ?, sdkLanguage: ?, "
		 "testIdAttributeName: ?}",
		 FORMAT_VERSION, "browserd " BROWSERD_VERSION, tr->width, tr->height, tr->wall_start, tr->start, o->language,
		 o->test_id_attribute ? o->test_id_attribute : "data-testid");
	trace_write_line(tr, tr->actions, &line);
}

static int trace_open_log(struct task *t, const struct file_access *files, const struct trace *tr, const char *extension)
{
	const struct output_file f = trace_file(t, tr, arena_printf(task_arena(t), "%s.%s", tr->name, extension));

	return output_open_new(t, files, &f, false);
}

static int open_logs(struct task *t, const struct file_access *files, struct trace *tr)
{
	tr->actions = trace_open_log(t, files, tr, "trace");
	if (tr->actions < 0)
		return tr->actions;
	tr->network = trace_open_log(t, files, tr, "network");
	return MIN(tr->network, 0);
}

/* Where calls stand in the client's code: tools are called by no code that the server knows, so none is listed. */
static int write_stacks(struct task *t, const struct trace *tr)
{
	static const char none[] = "{\"files\":[],\"stacks\":[]}";
	const struct output_file f = trace_file(t, tr, arena_printf(task_arena(t), "%s.stacks", tr->name));
	int r = output_write_part(&f, none, sizeof(none) - 1);

	return r < 0 ? task_fail(t, r, "cannot write %s: %s", f.path, strerror(-r)) : 0;
}

/* The folders of a recording are there from its start, also if nothing is written to them. */
static int make_folders(struct task *t, const struct trace *tr)
{
	static const char *const names[] = { "resources", "screencast" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		int fd = beneath_directory(tr->root, arena_printf(task_arena(t), "%s/%s", tr->rest, names[i]), true);

		if (fd < 0)
			return task_fail(t, -ERR_INVALID_PARAMETERS, "cannot create '%s/%s': %s", tr->path, names[i],
					 strerror(-fd));
		close(fd);
	}
	return 0;
}

int trace_new(struct task *t, const struct file_access *files, const struct trace_options *o, struct tabs *tabs, struct trace **ret)
{
	static int64_t last; /* time in the name of the last trace: two of them never have the same files */
	_cleanup_(trace_freep) struct trace *tr = NULL;
	struct output_file folder, inside;
	struct tab *tab;
	int r;

	r = output_downloads(t, files, &folder);
	if (r == 0)
		r = output_find(t, files, arena_printf(task_arena(t), "%s/traces", folder.path), &inside);
	if (r < 0)
		return r;
	tr = NEW(struct trace);
	tr->actions = tr->network = -1;
	TAILQ_INIT(&tr->pages);
	tr->redacted_params = o->redacted_params;
	tr->root = must(strdup(inside.root));
	tr->rest = must(strdup(inside.rest));
	tr->path = must(strdup(inside.path));
	tr->wall_start = (double)clock_unix_msec();
	tr->start = trace_now();
	tr->parts = must(calloc(LIMIT_TRACE_PARTS_COUNT, sizeof(*tr->parts)));
	tr->name = must(malloc(32));
	last = MAX(last + 1, (int64_t)tr->wall_start);
	snprintf(tr->name, 32, "trace-%" PRId64, last);
	r = open_logs(t, files, tr);
	if (r == 0)
		r = write_stacks(t, tr);
	if (r == 0)
		r = make_folders(t, tr);
	if (r < 0)
		return r;
	write_context(tr, o, tabs->current ? tabs->current->page : NULL);
	TAILQ_FOREACH(tab, &tabs->list, link)
		trace_add_page(tr, tab->page, true);
	*ret = TAKE_PTR(tr);
	return 0;
}

struct trace *trace_free(struct trace *tr)
{
	struct trace_page *tp;

	if (!tr)
		return NULL;
	while ((tp = TAILQ_FIRST(&tr->pages))) {
		TAILQ_REMOVE(&tr->pages, tp, link);
		trace_page_free(tp);
	}
	tdestroy(tr->frames, free);
	if (tr->actions >= 0)
		close(tr->actions);
	if (tr->network >= 0)
		close(tr->network);
	trace_free_parts(tr);
	free(tr->root);
	free(tr->rest);
	free(tr->path);
	free(tr->name);
	free(tr);
	return NULL;
}

const char *trace_failure(struct task *t, const struct trace *tr)
{
	return tr->failure ? arena_printf(task_arena(t), "cannot write to %s: %s", tr->path, strerror(-tr->failure)) : NULL;
}

bool trace_is_recording(const struct trace *tr)
{
	return tr->actions >= 0;
}

static void close_log(struct task *t, const struct file_access *files, const struct trace *tr, const char *extension, int *fd)
{
	const struct output_file f = trace_file(t, tr, arena_printf(task_arena(t), "%s.%s", tr->name, extension));

	output_close(files, &f, *fd);
	*fd = -1;
}

void trace_finish(struct task *t, _kept_ struct trace *tr, const struct file_access *files, struct tabs *tabs)
{
	struct trace_scope scope = trace_enter(t);

	trace_collect(t, tr, tabs, true);
	close_log(t, files, tr, "trace", &tr->actions);
	close_log(t, files, tr, "network", &tr->network);
	trace_leave(&scope);
}

/* `name`: in the folder; `inside`: in the archive. A file that was removed meanwhile is left out. Suspends. */
static int trace_pack_entry(struct task *t, const struct trace *tr, struct zip *z, const char *name, const char *inside)
{
	const struct output_file f = trace_file(t, tr, name);
	int from = beneath_open(f.root, f.rest, O_RDONLY), r;

	if (from < 0)
		return 0;
	r = zip_add(t, z, inside, from, strncmp(name, "screencast/", 11) != 0);
	close(from);
	return r;
}

static int pack_all(struct task *t, _kept_ struct trace *tr, struct zip *z)
{
	int r;

	r = trace_pack_entry(t, tr, z, arena_printf(task_arena(t), "%s.trace", tr->name), "trace.trace");
	if (r == 0)
		r = trace_pack_entry(t, tr, z, arena_printf(task_arena(t), "%s.network", tr->name), "trace.network");
	if (r == 0)
		r = trace_pack_entry(t, tr, z, arena_printf(task_arena(t), "%s.stacks", tr->name), "trace.stacks");
	for (unsigned i = 0; r == 0 && i < tr->part_count; i++)
		r = trace_pack_entry(t, tr, z, tr->parts[i], tr->parts[i]);
	return r < 0 ? r : zip_finish(z);
}

int trace_pack(struct task *t, _kept_ struct trace *tr, const struct file_access *files, const struct output_file *archive)
{
	_cleanup_(zip_freep) struct zip *z = NULL;
	int fd = output_open_new(t, files, archive, false), r;

	if (fd < 0)
		return fd;
	z = zip_new(fd, (int64_t)tr->wall_start / 1000);
	r = pack_all(t, tr, z);
	output_close(files, archive, fd);
	if (r < 0)
		output_remove(archive);
	if (r < 0 && r != -ECANCELED)
		return task_fail(t, r, "cannot write the archive %s: %s", archive->path, strerror(-r));
	return r;
}

const char *trace_path(struct task *t, const struct trace *tr, enum trace_file which)
{
	static const char *const extensions[] = { [TRACE_ACTIONS] = "trace", [TRACE_NETWORK] = "network", [TRACE_ARCHIVE] = "zip" };

	if (which == TRACE_RESOURCES)
		return arena_printf(task_arena(t), "%s/resources", tr->path);
	return arena_printf(task_arena(t), "%s/%s.%s", tr->path, tr->name, extensions[which]);
}

/* ---- calls ---- */

void trace_begin_call(struct task *t, _kept_ struct trace *tr, struct trace_call *call, _kept_ struct page *p)
{
	struct trace_scope scope = trace_enter(t);

	*call = (struct trace_call){};
	snprintf(call->id, sizeof(call->id), "call@%u", ++tr->calls);
	if (p)
		trace_snapshot(t, tr, p, call->id, "before", NULL, NULL);
	call->start = trace_now();
	trace_leave(&scope);
}

void trace_press(struct task *t, _kept_ struct trace *tr, struct trace_call *call, _kept_ struct frame *f, const char *target,
		 struct point at)
{
	struct trace_scope scope = trace_enter(t);

	call->pressed = true;
	call->press = at;
	trace_snapshot(t, tr, frame_page(f), call->id, "action", f, target);
	trace_leave(&scope);
}

static void write_log(struct trace *tr, const struct trace_call *call, const char *lines, double at)
{
	for (size_t len; lines && *lines; lines += len + (lines[len] == '\n')) {
		_cleanup_(str_done) struct str line = {};

		len = strcspn(lines, "\n");
		str_json(&line, "{type: 'log', callId: ?, time: ?, message: ?}", call->id, at, JSON_TEXT(lines, len));
		trace_write_line(tr, tr->actions, &line);
	}
}

static void write_input(struct trace *tr, const struct trace_call *call)
{
	_cleanup_(str_done) struct str line = {};

	if (!call->pressed)
		return;
	str_json(&line, "{type: 'input', callId: ?, point: {x: ?, y: ?}}", call->id, call->press.x, call->press.y);
	trace_write_line(tr, tr->actions, &line);
}

static void write_before(struct trace *tr, const struct trace_call *call, _nullable_ const struct page *p,
			 const struct trace_action *a)
{
	_cleanup_(str_done) struct str line = {};
	char page[80];

	str_json(&line, "{type: 'before', callId: ?, startTime: ?, class: ?, method: ?, params: ?", call->id, call->start, a->class,
		 a->method, JSON_RAW(a->params));
	if (a->parent && *a->parent)
		str_json(&line, ", parentId: ?", a->parent);
	if (a->title)
		str_json(&line, ", title: ?", a->title);
	if (p) {
		trace_page_name(p, page);
		str_json(&line, ", pageId: ?", page);
	}
	str_append_char(&line, '}');
	trace_write_line(tr, tr->actions, &line);
}

static void write_after(struct trace *tr, const struct trace_call *call, const struct trace_action *a, double at)
{
	_cleanup_(str_done) struct str line = {};

	str_json(&line, "{type: 'after', callId: ?, endTime: ?", call->id, at);
	if (a->error)
		str_json(&line, ", error: {name: ?, message: ?}", a->error_name, a->error);
	else if (a->result)
		str_json(&line, ", result: ?", JSON_RAW(a->result));
	str_append_char(&line, '}');
	trace_write_line(tr, tr->actions, &line);
}

void trace_end_call(struct task *t, _kept_ struct trace *tr, const struct trace_call *call, _kept_ struct page *p,
		    struct tabs *tabs, const struct trace_action *a)
{
	struct trace_scope scope = trace_enter(t);
	double end = trace_now();

	write_before(tr, call, p, a);
	write_log(tr, call, a->log, end);
	write_input(tr, call);
	write_after(tr, call, a, end);
	if (p && page_alive(p)) {
		trace_snapshot(t, tr, p, call->id, "after", NULL, NULL);
		trace_picture(t, tr, p);
	}
	trace_collect(t, tr, tabs, false);
	trace_leave(&scope);
}
