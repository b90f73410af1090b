/* browser_start_tracing, browser_stop_tracing. */
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
	response_add(&b->response.result, "- [%s](%s)", title, output_shown(b->t, &b->files, trace_path(b->t, trace, file)));
}

static void free_trace(void *trace)
{
	trace_free(trace);
}

static int start_run(struct browse *b, const void *args)
{
	static const char *const languages[] = {
		[CODE_TYPESCRIPT] = "javascript", [CODE_PYTHON] = "python",   [CODE_JAVA] = "java",
		[CODE_CSHARP] = "csharp",         [CODE_NONE] = "javascript",
	};
	const struct trace_options options = {
		.language = languages[b->app->answers->code],
		.test_id_attribute = b->page ? page_options(b->page)->test_id_attribute : NULL,
		.redacted_params = b->app->answers->redacted_params,
	};
	struct trace *trace;
	int r;

	if (traced_by(b->session))
		return browse_fail_call(b, -ERR_BROWSER_ERROR, "Tracing has been already started");
	r = trace_new(b->t, &b->files, &options, session_tabs(b->session), &trace);
	if (r < 0)
		return r;
	session_set_recording(b->session, (struct session_recording){ trace, free_trace });
	response_add(&b->response.result, "Trace recording started");
	add_link(b, "Action log", trace, TRACE_ACTIONS);
	add_link(b, "Network log", trace, TRACE_NETWORK);
	add_link(b, "Resources", trace, TRACE_RESOURCES);
	return 0;
}

const struct tool tool_browser_start_tracing =
	BROWSE_TOOL("browser_start_tracing", "Start tracing", browser_start_tracing,
		    "Record calls, snapshots, console and network of the session for the trace viewer.",
		    (&(const struct browse_tool){ .run = start_run, .modals = MODAL_IGNORES, .no_tab = true, .untraced = true }),
		    .capability = "devtools", .read_only = true);

struct browser_stop_tracing {
	const char *sessionId;
};

static const struct param browser_stop_tracing_params[] = {
	PARAM(browser_stop_tracing, sessionId, NULL, .schema = BROWSE_SESSION),
	{},
};

static int write_archive(struct browse *b, _kept_ struct trace *trace)
{
	struct output_file archive;
	int r;

	r = output_find(b->t, &b->files, trace_path(b->t, trace, TRACE_ARCHIVE), &archive);
	if (r == 0)
		r = trace_pack(b->t, trace, &b->files, &archive);
	if (r == 0)
		add_link(b, "Archive", trace, TRACE_ARCHIVE);
	return r;
}

static int stop_run(struct browse *b, const void *args)
{
	struct trace *trace = traced_by(b->session);
	int r = 0;

	if (!trace)
		return task_fail(b->t, -ERR_BROWSER_ERROR, "Tracing is not started");
	trace_finish(b->t, trace, &b->files, session_tabs(b->session));
	response_add(&b->response.result, "Trace recording stopped.");
	add_link(b, "Trace", trace, TRACE_ACTIONS);
	add_link(b, "Network log", trace, TRACE_NETWORK);
	add_link(b, "Resources", trace, TRACE_RESOURCES);
	if (b->app->answers->trace_archives)
		r = write_archive(b, trace);
	session_set_recording(b->session, (struct session_recording){});
	return r;
}

const struct tool tool_browser_stop_tracing =
	BROWSE_TOOL("browser_stop_tracing", "Stop tracing", browser_stop_tracing,
		    "End the recording. `npx playwright show-trace` opens its folder or archive.",
		    (&(const struct browse_tool){ .run = stop_run, .modals = MODAL_IGNORES, .no_tab = true, .untraced = true }),
		    .capability = "devtools", .read_only = true);
