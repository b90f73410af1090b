#include "main/serve.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/notes.h"
#include "base/file.h"
#include "base/log.h"
#include "browser/pool.h"
#include "devserver/server.h"
#include "egress/egress.h"
#include "fleet/fleet.h"
#include "loop/failure_words.h"
#include "loop/lineio.h"
#include "loop/remove.h"
#include "main/client.h"
#include "main/report.h"
#include "main/serve_http.h"
#include "main/serve_view.h"
#include "main/serve_internal.h"
#include "main/service.h"
#include "main/tool_list.h"
#include "observe/redact.h"
#include "observe/sink.h"
#include "people/arguments.h"
#include "people/calls.h"
#include "reply/artifacts.h"
#include "recordings/recordings.h"
#include "reply/owner_dirs.h"
#include "runcode/init_page.h"
#include "tools/browser/webmcp.h"
#include "session/observation.h"
#include "store/states.h"
#include "tools/capability.h"
#include "tools/cdp/resources.h"
#include "tools/hints.h"
#include "tools/lines.h"

/* ---- the client over stdin and stdout has left ---- */

static void on_input_or_output_ended(enum lineio_end end, const char *reason, void *data)
{
	log_info("the client has left: %s", reason);
	serve_enter_stage(data, end == LINEIO_INPUT_ENDED ? STAGE_FINISHING : STAGE_CLOSING);
}

static void on_client_gone(const char *who, void *data)
{
	log_info("the process that started this server has ended: %s", who);
	serve_enter_stage(data, STAGE_CLOSING);
}

/* ---- messages ---- */

static void on_line(char *text, size_t len, void *data)
{
	mcp_conn_receive(((struct serve *)data)->conn, text, len, NULL, MCP_MAY_ALL);
}

static void serve_on_oversize(void *data)
{
	mcp_conn_refuse_oversize(((struct serve *)data)->conn);
}

static void send_line(const struct mcp_outgoing *m, void *data)
{
	lineio_send(((struct serve *)data)->lines, m->text, m->len);
}

static void on_browser_died(struct browser *b, void *data)
{
	registry_browser_died(((struct serve *)data)->app.registry, b);
}

static const struct lineio_handler line_handler = { on_line, serve_on_oversize, on_input_or_output_ended };
static const struct mcp_transport transport = { .send = send_line };

/* ---- construction ---- */

/* The egress rules of all sessions also apply to the browser's own traffic and its profile. */
static int restrict_browser(struct serve *s, const struct options *o)
{
	int r;

	if (!egress_settings_restrict(&o->egress))
		return 0;
	r = egress_new(s->loop, &o->egress, NULL, &s->profile_egress);
	if (r < 0)
		log_error("cannot create the egress proxy: %s", strerror(-r));
	else
		pool_set_proxy(s->app.pool, egress_proxy(s->profile_egress));
	return r;
}

/* Over HTTP each owner has a directory of its own below --output-dir. */
static int give_owners_directories(struct serve *s, const struct options *o)
{
	int r;

	if (o->http.port < 0)
		return 0;
	r = owner_dirs_new(o->output.dir, &s->app.output.owner_dirs);
	if (r < 0)
		log_error("cannot create a directory for the files of clients in %s: %s",
			  o->output.dir ? o->output.dir : file_temporary_directory(), strerror(-r));
	return r;
}

static void on_seen(struct calls_listener *l, uint64_t owner, const char *session, const struct seen_call *call)
{
	const struct serve *s = CONTAINER_OF(l, struct serve, recorder);

	recordings_called(s->recordings, owner, session,
			  &(const struct recorded_end){ .tool = call->tool,
							.line = call->line,
							.outcome = report_outcome(call->outcome),
							.error = call->error,
							.began = call->began,
							.duration = call->duration,
							.is_step = call->is_step });
}

static int start_services(struct serve *s, const struct options *o)
{
	struct app *app = &s->app;
	int r;

	*app = (struct app){
		.output.settings = &o->output,
		.answers = &o->answers,
		.timeouts = &o->timeouts,
		.secrets = o->secrets,
		.egress = &o->egress,
		.e2e = &o->e2e,
		.records = &o->records,
		.init_pages = o->init_pages,
		.run_init_page = code_run_init_page,
		.vault = o->vault,
		.vault_admits = o->http.port < 0 || o->http.token,
		.one_session = o->sessions.one_for_all,
	};
	options_print_config(o, &s->config);
	app->config = str_text(&s->config);
	redact_configure(&o->redact);
	app->browser = browser_new(s->loop, &o->browser, on_browser_died, s);
	if (!o->browser.start.no_webmcp) {
		s->webmcp_news = webmcp_news_new(s->loop, &s->mcp);
		browser_collect_tools(app->browser, webmcp_news_watch(s->webmcp_news));
	}
	if (o->second_browser)
		s->second = browser_new(s->loop, &o->second, on_browser_died, s);
	app->pool = pool_new(s->loop, app->browser, s->second);
	r = restrict_browser(s, o);
	app->registry = registry_new(s->loop, app->pool, &o->sessions, &o->egress, s->profile_egress);
	s->calls = calls_new(app->registry);
	s->recorder = (struct calls_listener){ .ended = on_seen };
	calls_listen(s->calls, &s->recorder);
	app->observers = observers_new(s->loop, app->registry, &o->observers);
	if (o->store.url) {
		app->store = store_new(s->loop, &o->store);
		app->states = states_new(app->store, o->store.ttl);
	} else if (options_capability(o, "states")) {
		app->states = states_in_folder(&o->states);
	}
	app->output.browser = app->browser;
	app->output.artifacts = artifacts_new();
	s->recordings = recordings_new(s->loop, app, &o->recordings);
	registry_set_recorder(app->registry, recordings_recorder(s->recordings));
	if (r == 0)
		r = give_owners_directories(s, o);
	if (r == 0)
		recordings_begin(s->recordings);
	return r;
}

/* What a set of tools brings besides its tools. */
static void add_capability(struct serve *s, const struct capability *c)
{
	if (c->resources)
		s->mcp.resources = c->resources;
	if (c->around)
		s->around = c->around;
	if (c->begin)
		c->begin(&s->mcp);
}

static void warn_of_exposed_files(const struct options *o)
{
	const char *path;

	for (unsigned at = 0; (path = options_exposed_file(o, &at));)
		log_warning("%s contains secrets and can be read by every user of this machine: chmod 600 it", path);
}

static void warn_of_closed_vault(const struct options *o)
{
	if (o->vault && o->http.port >= 0 && !o->http.token && !o->keys.issuer)
		log_warning("--vault: no client may use a login over HTTP without --auth-token or --oauth-issuer");
}

static int open_sink(struct serve *s, const struct options *o)
{
	int r;

	if (!o->sink.path)
		return 0;
	r = sink_new(&o->sink, &s->sink);
	if (r < 0)
		log_error("--event-sink: cannot open %s: %s", o->sink.path, file_failure(r));
	return r;
}

static void on_began(struct mcp_call *call)
{
	calls_began(CONTAINER_OF(mcp_call_data(call), struct serve, app)->calls, call);
}

static void on_called(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	struct serve *s = CONTAINER_OF(mcp_call_data(call), struct serve, app);
	const struct tool *tool = mcp_call_tool(call);

	log_event("tool_called", mcp_call_session_id(call), "tool: ?, outcome: ?, milliseconds: ?", tool->name,
		  report_outcome(outcome), duration / USEC_PER_MSEC);
	calls_ended(s->calls, call, outcome, duration);
	resources_after_call(&s->mcp, call);
	if (s->webmcp_news)
		webmcp_after_call(call);
	if (s->report)
		report_call(s->report, tool, outcome, duration);
}

/* Recordings have what capabilities do around a call in it. */
static int serve_around(struct task *t, struct mcp_call *call, int (*next)(struct task *t, struct mcp_call *call),
			struct result *res)
{
	struct serve *s = CONTAINER_OF(mcp_call_data(call), struct serve, app);
	struct recorded_call recorded;
	int r;

	recordings_begin_call(t, s->recordings, call, &recorded);
	r = s->around(t, call, next, res);
	recordings_end_call(t, s->recordings, call, &recorded, r, res);
	return r;
}

static int start_lines(struct serve *s, const struct options *o, int in, int out)
{
	int r = serve_view_start(s, o);

	if (r < 0)
		return r;
	s->conn = mcp_conn_new(&s->mcp, &transport, (struct mcp_owner){ .number = 1 }, s);
	s->client = client_watch_new(s->loop, on_client_gone, s);
	return lineio_new(s->loop, in, out, &line_handler, s, &s->lines);
}

static int start_http(struct serve *s, const struct options *o, const struct option_profile *profile)
{
	const char *why;
	int r;

	r = http_services_init(&s->http_services, s->loop, o);
	if (r < 0)
		return r;
	s->report = report_new(&s->app, s->recordings, s->mcp.tools);
	s->http_services.report_data = s->report;
	if (o->http.node && o->store.url) {
		s->fleet = fleet_new(s->loop, &s->app, o->http.node, o->store.ttl);
		s->http_services.archive = fleet_archive(s->fleet);
	}
	serve_view_prepare(s, o);
	r = mcp_http_new(&s->mcp, &o->http, &s->http_services, &s->http, &why);
	if (r < 0) {
		log_error("cannot listen on %s port %d: %s", o->http.host, o->http.port, why ? why : strerror(-r));
		return r;
	}
	report_set_http(s->report, s->http);
	if (s->fleet)
		fleet_set_http(s->fleet, s->http);
	http_announce(s->http, &o->http, profile->program);
	serve_view_begin(s);
	return 0;
}

static void init_mcp(struct serve *s, const struct options *o, const struct option_profile *profile)
{
	failure_words_use(tool_hints);
	arguments_use(tool_lines);
	s->mcp = profile->server;
	s->mcp.loop = s->loop;
	s->mcp.version = BROWSERD_VERSION;
	s->mcp.node = o->http.node;
	s->mcp.data = &s->app;
	s->mcp.tools = s->tools = tool_list_new(o, profile);
	s->mcp.missing = tool_list_missing;
	s->mcp.missing_data = o;
	s->mcp.style = tool_list_style(o, profile);
	tool_list_instructions(o, profile, s->tools, &s->instructions);
	s->mcp.instructions = s->instructions.len ? s->instructions.data : NULL;
	s->mcp.began = on_began;
	s->mcp.called = on_called;
	s->mcp.own_tools = s->webmcp_news ? &webmcp_tools : NULL;
	s->around = notes_around;
	s->mcp.around = serve_around;
	s->mcp.finish = o->answers.form == ANSWERS_COMPACT ? call_shorten : NULL;
	s->mcp.confirm = &o->confirm;
	if (o->answers.links == LINKS_ADD && !s->mcp.resources)
		s->mcp.resources = &resource_table;
	for (const struct capability *c = capability_table; c->name; c++)
		if (options_capability(o, c->name))
			add_capability(s, c);
}

static int serve_start(struct serve *s, const struct options *o, const struct option_profile *profile, int in, int out)
{
	int r;

	r = http_wants_tls(o) ? loop_new_with_tls(&s->loop) : loop_new(&s->loop);
	if (r < 0)
		return r;
	r = serve_watch_signals(s);
	if (r < 0)
		return r;
	s->drain = o->drain;
	s->stage_timer = timer_new(s->loop, serve_on_stage_timer, s);
	r = start_services(s, o);
	warn_of_exposed_files(o);
	warn_of_closed_vault(o);
	if (r == 0)
		r = open_sink(s, o);
	if (r < 0)
		return r;
	init_mcp(s, o, profile);
	return o->http.port >= 0 ? start_http(s, o, profile) : start_lines(s, o, in, out);
}

static void serve_finish(struct serve *s)
{
	if (s->lines)
		lineio_flush(s->lines, FLUSH_MSEC);
	if (s->http)
		mcp_http_flush(s->http, FLUSH_MSEC * USEC_PER_MSEC);
	client_watch_free(s->client);
	timer_free(s->stage_timer);
	mcp_conn_free(s->conn);
	if (s->ends_client_first)
		serve_log_end(s);
	lineio_free(s->lines);
	mcp_http_free(s->http);
	serve_view_free(s);
	http_services_done(&s->http_services);
	report_free(s->report);
	free(s->tools);
	str_done(&s->instructions);
	observers_free(s->app.observers);
	registry_free(s->app.registry);
	calls_free(s->calls);
	pool_free(s->app.pool);
	browser_free(s->app.browser);
	browser_free(s->second);
	while (task_count()) /* the browser's own, which it has cancelled */
		loop_step(s->loop);
	states_free(s->app.states);
	fleet_free(s->fleet);
	store_free(s->app.store);
	str_done(&s->config);
	webmcp_news_free(s->webmcp_news);
	recordings_free(s->recordings);
	artifacts_free(s->app.output.artifacts); /* sessions that end may finish their files */
	egress_unref(s->profile_egress);
	owner_dirs_free(s->app.output.owner_dirs);
	devserver_forget_abandoned();
	sink_free(s->sink);
	redact_done();
	watch_free(s->signal_watch);
	if (s->signals >= 0)
		close(s->signals);
	loop_free(s->loop);
	remove_finish(REMOVE_MSEC);
}

static void notify_ready(const struct serve *s)
{
	_cleanup_(str_done) struct str state = {};

	str_appendf(&state, "READY=1\nSTATUS=Serving %s", s->http ? mcp_http_url(s->http) : "stdin and stdout");
	service_notify(state.data);
}

/*
 * A call has not returned although the browser was killed. It still uses its memory, so the process exits without
 * releasing it.
 */
static _noreturn_ void give_up(struct serve *s)
{
	log_error("calls do not end:");
	serve_dump_calls();
	lineio_free(s->lines);
	_exit(EXIT_FAILURE);
}

int serve(const struct options *o, const struct option_profile *profile, int in, int out)
{
	struct serve s = { .signals = -1 };
	int r;

	r = serve_start(&s, o, profile, in, out);
	if (r == 0) {
		notify_ready(&s);
		r = loop_run(s.loop);
	}
	if (s.stage == STAGE_OVER && !s.drained)
		give_up(&s);
	serve_finish(&s);
	return r;
}
