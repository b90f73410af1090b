/* browser_start_tracing, browser_stop_tracing. */
#include <errno.h>

#include "base/error.h"
#include "page/options.h"
#include "tools/browser/browse.h"
#include "tools/browser/tools.h"
#include "trace/trace.h"

struct browser_start_tracing {
	const char *sessionId;
};

static const struct param browser_start_tracing_params[] = {
	PARAM(browser_start_tracing, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static void add_link(struct browse *b, const char *title, const struct trace *trace, enum trace_file file)
{
	response_add(&b->response.result, "- [%s](%s)", title,
		     output_shown(b->call.t, &b->call.files, trace_path(b->call.t, trace, file)));
}

static void free_trace(void *trace)
{
	trace_free(trace);
}

/* Replaces the recording that there is. */
static int tracing_begin(struct tool_call *call, struct session *s, _nullable_ struct page *p, struct trace **ret)
{
	static const char *const languages[] = {
		[CODE_TYPESCRIPT] = "javascript", [CODE_PYTHON] = "python",   [CODE_JAVA] = "java",
		[CODE_CSHARP] = "csharp",         [CODE_NONE] = "javascript",
	};
	const struct trace_options options = {
		.language = languages[call->app->answers->code],
		.test_id_attribute = p ? page_options(p)->test_id_attribute : NULL,
		.redacted_params = call->app->answers->redacted_params,
	};
	int r = trace_new(call->t, &call->files, &options, session_tabs(s), ret);

	if (r == 0)
		session_set_recording(s, (struct session_recording){ *ret, free_trace });
	return r;
}

/* A trace that belongs to the recording of the session (recordings/recordings.h). */
static int refuse_kept(struct tool_call *call, struct session *s)
{
	if (!session_recording_is_kept(s))
		return 0;
	return task_fail(
		call->t, -EALREADY,
		"this session is recorded, as the server or create_session asks for it: its trace is ready when the session has ended");
}

static int tracing_start(struct tool_call *call, struct session *s, _nullable_ struct page *p, struct trace **ret)
{
	if (session_recording(s))
		return browse_fail_call(call, -ERR_BROWSER_ERROR, "Tracing has been already started");
	return tracing_begin(call, s, p, ret);
}

int traced_start(struct tool_call *call, struct session *s, _nullable_ struct page *p)
{
	struct trace *trace;
	int r = refuse_kept(call, s);

	return r < 0 ? r : tracing_start(call, s, p, &trace);
}

int traced_start_chunk(struct tool_call *call, struct session *s, _nullable_ struct page *p)
{
	struct trace *trace;
	int r = refuse_kept(call, s);

	if (r < 0)
		return r;
	if (!session_recording(s))
		return browse_fail_call(call, -ERR_BROWSER_ERROR, "Must start tracing before starting a new chunk");
	return tracing_begin(call, s, p, &trace);
}

static int tracing_start_run(struct browse *b, const void *args)
{
	struct trace *trace;
	int r = refuse_kept(&b->call, b->session);

	if (r < 0)
		return r;
	if (session_recording(b->session) && b->call.app->answers->compat >= COMPAT_0_0_84)
		return task_fail(b->call.t, -EALREADY, "Tracing has already been started.");
	r = tracing_start(&b->call, b->session, b->page, &trace);
	if (r < 0)
		return r;
	response_add(&b->response.result, "Trace recording started");
	add_link(b, "Action log", trace, TRACE_ACTIONS);
	add_link(b, "Network log", trace, TRACE_NETWORK);
	add_link(b, "Resources", trace, TRACE_RESOURCES);
	return 0;
}

const struct tool tool_browser_start_tracing =
	BROWSE_TOOL("browser_start_tracing", "Start tracing", browser_start_tracing,
		    "Record calls, snapshots, console and network of the session for the trace viewer.",
		    (&(const struct browse_tool){
			    .run = tracing_start_run, .modals = MODAL_IGNORES, .no_tab = true, .untraced = true }),
		    .capability = "devtools", .read_only = true);

struct browser_stop_tracing {
	const char *sessionId;
};

static const struct param browser_stop_tracing_params[] = {
	PARAM(browser_stop_tracing, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static void add_failure(struct browse *b, const struct trace *trace)
{
	const char *failure = trace_failure(b->call.t, trace);

	if (failure)
		response_add(&b->response.result, "The recording ended early: %s", failure);
}

static int write_archive(struct browse *b, _kept_ struct trace *trace)
{
	struct output_file archive;
	int r;

	r = output_find(b->call.t, &b->call.files, trace_path(b->call.t, trace, TRACE_ARCHIVE), &archive);
	if (r == 0)
		r = trace_pack(b->call.t, trace, &b->call.files, &archive);
	if (r == 0)
		add_link(b, "Archive", trace, TRACE_ARCHIVE);
	return r;
}

static int finish_into(struct tool_call *call, struct session *s, _kept_ struct trace *trace, const char *path)
{
	struct output_file archive;
	int r;

	r = output_find(call->t, &call->files, path, &archive);
	if (r < 0)
		return r;
	trace_finish(call->t, trace, &call->files, session_tabs(s));
	return trace_pack(call->t, trace, &call->files, &archive);
}

int traced_stop_chunk(struct tool_call *call, struct session *s, const char *path)
{
	struct trace *trace = traced_by(s);
	int r = refuse_kept(call, s);

	if (r < 0)
		return r;
	if (trace && path)
		return finish_into(call, s, trace, path);
	if (trace)
		trace_finish(call->t, trace, &call->files, session_tabs(s));
	else if (path)
		return browse_fail_call(call, -ERR_BROWSER_ERROR, "Must start tracing before stopping");
	return 0;
}

int traced_stop(struct tool_call *call, struct session *s, const char *path)
{
	int r = traced_stop_chunk(call, s, path);

	if (!traced_by(s))
		session_set_recording(s, (struct session_recording){});
	return r;
}

static int tracing_stop_run(struct browse *b, const void *args)
{
	struct trace *trace = session_recording(b->session);
	int r = refuse_kept(&b->call, b->session);

	if (r < 0)
		return r;
	if (!trace)
		return task_fail(b->call.t, -ERR_BROWSER_ERROR, "Tracing is not started");
	if (trace_is_recording(trace))
		trace_finish(b->call.t, trace, &b->call.files, session_tabs(b->session));
	response_add(&b->response.result, "Trace recording stopped.");
	add_failure(b, trace);
	add_link(b, "Trace", trace, TRACE_ACTIONS);
	add_link(b, "Network log", trace, TRACE_NETWORK);
	add_link(b, "Resources", trace, TRACE_RESOURCES);
	if (b->call.app->answers->trace_archives)
		r = write_archive(b, trace);
	session_set_recording(b->session, (struct session_recording){});
	return browse_keep_answer(b, r);
}

const struct tool tool_browser_stop_tracing =
	BROWSE_TOOL("browser_stop_tracing", "Stop tracing", browser_stop_tracing,
		    "End the recording. `npx playwright show-trace` opens its folder or archive.",
		    (&(const struct browse_tool){
			    .run = tracing_stop_run, .modals = MODAL_IGNORES, .no_tab = true, .untraced = true }),
		    .capability = "devtools", .read_only = true);
