/*
 * The traces of a recording. Tools find the trace that they write to by session_recording(), whose data is the trace itself, so a list here says
 * which recording a trace belongs to. Its files lie in a folder of the recording until they are packed into an archive, when the session
 * ends. A session that was reset has a further trace from then on.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/beneath.h"
#include "base/log.h"
#include "loop/remove.h"
#include "page/options.h"
#include "recordings/internal.h"
#include "reply/artifacts.h"
#include "reply/response.h"
#include "trace/trace.h"

struct recorded_trace {
	LIST_ENTRY(recorded_trace) link;
	struct session_record *record; /* a reference */
	_kept_ struct trace *trace;
	bool ended; /* the session has given it back */
};

static LIST_HEAD(, recorded_trace) recorded_traces = LIST_HEAD_INITIALIZER(recorded_traces);

/* The session has no use for the trace any more. */
static void traces_give_back(void *trace)
{
	struct recorded_trace *rt;

	LIST_FOREACH(rt, &recorded_traces, link)
		rt->ended |= rt->trace == trace;
}

static void recorded_trace_free(struct recorded_trace *rt)
{
	LIST_REMOVE(rt, link);
	trace_free(rt->trace);
	session_record_unref(rt->record);
	free(rt);
}

/* The files of traces are reached by the functions that write those of clients, whose workspace is the directory of the recording here. */
static struct file_access traces_files(struct task *t, struct session_record *r)
{
	static const struct output_settings settings;
	struct output *output = arena_alloc(task_arena(t), sizeof(*output));

	*output = (struct output){ .settings = &settings, .browser = r->all->app->browser, .artifacts = r->all->parts };
	return (struct file_access){
		.output = output,
		.workspace = arena_printf(task_arena(t), "%s/%s", r->root, r->rest),
		.owner = r->owner,
		.may_write = true,
	};
}

static void traces_note_failure(struct task *t, struct session_record *r, const char *what)
{
	r->failed = true;
	timeline_note(r, "%s", what);
	log_warning("the recording %s: %s", r->id, what);
	task_forget_failure(t);
}

void recording_start_trace(struct task *t, struct session_record *r, _kept_ struct session *s)
{
	const struct file_access files = traces_files(t, r);
	const struct page *p = session_current_page(s);
	const struct trace_options options = {
		.language = "javascript",
		.test_id_attribute = p ? page_options(p)->test_id_attribute : NULL,
		.redacted_params = r->all->app->answers->redacted_params,
	};
	struct recorded_trace *rt;
	struct trace *trace;

	if (session_recording(s))
		return;
	if (trace_new(t, &files, &options, session_tabs(s), &trace) < 0) {
		traces_note_failure(t, r, "The session has no trace: its files cannot be made.");
		return;
	}
	rt = NEW(struct recorded_trace);
	rt->record = session_record_ref(r);
	rt->trace = trace;
	LIST_INSERT_HEAD(&recorded_traces, rt, link);
	session_set_recording(s, (struct session_recording){ trace, traces_give_back, .kept = true });
}

/* ---- the end ---- */

static void register_archive(struct session_record *r, const char *name)
{
	_cleanup_(str_done) struct str rest = {};
	int fd;

	str_appendf(&rest, "%s/%s", r->rest, name);
	fd = beneath_open(r->root, rest.data, O_RDONLY);
	if (fd >= 0)
		r->bytes += recording_close(r, name, fd);
}

/* trace.zip, then trace-2.zip. */
static int pack_trace(struct task *t, struct session_record *r, struct tabs *tabs, _kept_ struct trace *trace)
{
	const struct file_access files = traces_files(t, r);
	struct output_file archive;
	char name[RECORDING_NAME_SIZE];
	int result;

	if (trace_is_recording(trace))
		trace_finish(t, trace, &files, tabs);
	snprintf(name, sizeof(name), r->trace_count ? "trace-%u.zip" : "trace.zip", r->trace_count + 1);
	result = output_find(t, &files, name, &archive);
	if (result == 0)
		result = trace_pack(t, trace, &files, &archive);
	if (result < 0)
		return result;
	r->trace_count++;
	register_archive(r, name);
	return 0;
}

static struct recorded_trace *next_ended(const struct session_record *r)
{
	struct recorded_trace *rt;

	LIST_FOREACH(rt, &recorded_traces, link)
		if (rt->record == r && rt->ended)
			return rt;
	return NULL;
}

static void remove_parts(struct task *t, const struct session_record *r)
{
	remove_tree_aside(arena_printf(task_arena(t), "%s/%s/%s", r->root, r->rest, OUTPUT_DIRECTORY));
}

void recording_finish_traces(struct task *t, struct session_record *r, _kept_ struct session *s)
{
	struct recorded_trace *rt;
	bool packed = true;

	if (!(r->kinds & RECORD_TRACE))
		return;
	if (session_recording_is_kept(s))
		session_set_recording(s, (struct session_recording){});
	while ((rt = next_ended(r))) {
		LIST_REMOVE(rt, link); /* while this waits, no other finds it */
		if (pack_trace(t, r, session_tabs(s), rt->trace) < 0) {
			traces_note_failure(t, r,
					    "The archive of a trace could not be written; its files are in " OUTPUT_DIRECTORY ".");
			packed = false;
		}
		LIST_INSERT_HEAD(&recorded_traces, rt, link);
		recorded_trace_free(rt);
	}
	if (packed)
		remove_parts(t, r);
}

void recording_drop_traces(const struct session_record *r)
{
	struct recorded_trace *rt, *next;

	for (rt = LIST_FIRST(&recorded_traces); rt; rt = next) {
		next = LIST_NEXT(rt, link);
		if (rt->record == r && rt->ended)
			recorded_trace_free(rt);
	}
}

/* ---- calls of tools that do not write to traces themselves ---- */

_nullable_ _kept_ static struct trace *traces_of(const struct recordings *all, struct mcp_call *call)
{
	const struct session_record *r = recording_of_call(all, call);
	struct recorded_trace *rt;

	LIST_FOREACH(rt, &recorded_traces, link)
		if (rt->record == r && !rt->ended && trace_is_recording(rt->trace))
			return rt->trace;
	return NULL;
}

static void trace_call(struct task *t, struct recordings *all, struct mcp_call *call, _kept_ struct session *s,
		       struct recorded_call *c)
{
	_cleanup_(page_unrefp) struct page *p = page_ref(session_current_page(s));
	_cleanup_(str_done) struct str params = {};
	const struct tool *tool = mcp_call_tool(call);
	struct trace *trace = traces_of(all, call);

	if (!trace)
		return;
	str_json(&params, "?", mcp_call_arguments(call));
	trace_end_call(t, trace, &c->call, p, session_tabs(s),
		       &(const struct trace_action){
			       .class = "Page",
			       .method = tool->name,
			       .title = tool->title ? tool->title : tool->name,
			       .params = mcp_call_arguments(call) ? params.data : "{}",
			       .error = c->failed ? "the call has failed" : NULL,
			       .error_name = "Error",
		       });
}

void recordings_begin_call(struct task *t, struct recordings *all, struct mcp_call *call, struct recorded_call *ret)
{
	struct trace *trace = mcp_call_tool(call)->traces_itself ? NULL : traces_of(all, call);

	*ret = (struct recorded_call){};
	if (trace)
		trace_begin_call(t, trace, &ret->call, NULL);
}

void recordings_end_call(struct task *t, struct recordings *all, struct mcp_call *call, struct recorded_call *c, int r,
			 const struct result *res)
{
	_cleanup_(session_leave_as_isp) struct session *s = NULL;
	struct failure kept = {};

	if (!*c->call.id || r == -EINPROGRESS || task_cancelled(t) || !recording_of_call(all, call))
		return;
	c->failed = r < 0 || res->is_error;
	task_keep_failure(t, r, &kept);
	if (session_enter_as_is(t, all->app->registry, call_owner(call), call_session(call), &s) == 0)
		trace_call(t, all, call, s, c);
	if (r < 0)
		task_fail_of(t, &kept);
	failure_done(&kept);
}
