/*
 * The shutdown has stages, each with a time limit, so that it takes less than two seconds whatever hangs.
 *
 * draining: with --drain, after SIGTERM, an HTTP server takes no new sessions, until those that it has have ended or the time is over
 *
 * saving: a node of a fleet with a state store saves the sessions that are left, for other nodes
 *
 * finishing: stdin has ended, running calls may still respond (an HTTP server skips this stage)
 *
 * closing: calls are cancelled and clean up
 *
 * killing: the browser is killed, which fails everything that still waits for it
 *
 * A stage ends early when no call is left.
 */
#include "main/serve.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app.h"
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
#include "main/service.h"
#include "main/tool_list.h"
#include "mcp/server.h"
#include "observe/redact.h"
#include "observe/sink.h"
#include "reply/artifacts.h"
#include "reply/owner_dirs.h"
#include "runcode/init_page.h"
#include "tools/browser/webmcp.h"
#include "session/observation.h"
#include "session/session.h"
#include "store/states.h"
#include "tools/capability.h"
#include "tools/cdp/resources.h"
#include "tools/hints.h"

#define FINISH_MSEC 700
#define CLOSE_MSEC 500
#define KILL_MSEC 300
#define FLUSH_MSEC 200
#define DRAIN_POLL_MSEC 100
#define SAVE_MSEC 30000
#define REMOVE_MSEC 1000 /* files of clients, after which a child process continues alone */
#define END_MSEC (SAVE_MSEC + CLOSE_MSEC + KILL_MSEC + FLUSH_MSEC + REMOVE_MSEC) /* what may follow a drain */

enum stage { STAGE_SERVING, STAGE_DRAINING, STAGE_SAVING, STAGE_FINISHING, STAGE_CLOSING, STAGE_KILLING, STAGE_OVER };

struct serve {
	struct loop *loop;
	struct egress *profile_egress; /* proxy of the browser's profile and own traffic; NULL: no restriction */
	struct app app;
	struct browser *second; /* NULL: none */
	struct str config;      /* of app */
	struct mcp_server mcp;
	struct webmcp_news *webmcp_news; /* NULL: tools of pages are not collected */
	struct sink *sink;               /* NULL: none */
	const struct tool **tools;       /* the server's table */
	struct str instructions;         /* likewise */
	struct mcp_conn *conn;           /* over stdin and stdout, as the next two */
	struct lineio *lines;
	struct client_watch *client;
	struct mcp_http *http; /* over HTTP */
	struct fleet *fleet;   /* NULL: sessions end with this server */
	struct mcp_http_services http_services;
	struct report *report;
	int signals;
	struct watch *signal_watch;

	usec_t drain, drain_ends; /* how long SIGTERM leaves for it; when it is over. 0: no drain */
	enum stage stage;
	struct timer *stage_timer;
	bool ends_browser;      /* one that had a process when the end began */
	bool ends_client_first; /* in the log, where the end of the only client is its cause */
	bool drained;
};

/* ---- shutdown ---- */

static void on_drained(void *data)
{
	struct serve *s = data;

	s->drained = true;
	s->stage = STAGE_OVER;
	loop_stop(s->loop);
}

static void log_end(const struct serve *s)
{
	log_lifecycle("gracefully closing %d", s->ends_browser);
}

static void announce_end(struct serve *s, enum stage first)
{
	if (!s->drain_ends)
		service_notify("STOPPING=1");
	s->ends_browser = browser_has_process(s->app.browser);
	s->ends_client_first = first == STAGE_FINISHING;
	if (!s->ends_client_first)
		log_end(s);
}

static void enter_stage(struct serve *s, enum stage stage)
{
	static const int limit_msec[] = {
		[STAGE_FINISHING] = FINISH_MSEC,
		[STAGE_CLOSING] = CLOSE_MSEC,
		[STAGE_KILLING] = KILL_MSEC,
		[STAGE_OVER] = 0,
	};

	if (s->stage >= stage)
		return;
	if (s->stage < STAGE_FINISHING)
		announce_end(s, stage);
	if (s->fleet)
		fleet_stop(s->fleet);
	s->stage = stage;
	timer_set(s->stage_timer, clock_now() + (usec_t)limit_msec[stage] * USEC_PER_MSEC);
	if (stage == STAGE_FINISHING)
		mcp_conn_finish(s->conn, on_drained, s);
	else if (stage == STAGE_CLOSING && s->http)
		mcp_http_close(s->http, on_drained, s);
	else if (stage == STAGE_CLOSING)
		mcp_conn_close(s->conn, on_drained, s);
	else if (stage == STAGE_KILLING)
		pool_kill(s->app.pool);
	else
		loop_stop(s->loop);
}

/* Whether no client can come back for anything. */
static bool is_deserted(const struct serve *s)
{
	struct mcp_http_counts counts = mcp_http_counts(s->http);

	return counts.sessions == 0 && counts.requests == 0 && registry_count(s->app.registry) == 0;
}

static void on_saved(void *data)
{
	enter_stage(data, STAGE_CLOSING);
}

static void serve_save(struct serve *s)
{
	s->stage = STAGE_SAVING;
	timer_set(s->stage_timer, clock_now() + SAVE_MSEC * USEC_PER_MSEC);
	fleet_save_all(s->fleet, on_saved, s);
}

/* The time of the drain is over, or there is none. */
static void end_serving(struct serve *s)
{
	if (s->fleet && !is_deserted(s))
		serve_save(s);
	else
		enter_stage(s, STAGE_CLOSING);
}

static void continue_drain(struct serve *s)
{
	usec_t now = clock_now();

	if (now >= s->drain_ends || is_deserted(s))
		end_serving(s);
	else
		timer_set(s->stage_timer, MIN(s->drain_ends, now + DRAIN_POLL_MSEC * USEC_PER_MSEC));
}

static void serve_drain(struct serve *s)
{
	_cleanup_(str_done) struct str state = {};

	s->stage = STAGE_DRAINING;
	s->drain_ends = clock_now() + s->drain;
	log_notice("draining: no new sessions; %u MCP sessions and %u browser sessions have up to %llu s",
		   mcp_http_counts(s->http).sessions, registry_count(s->app.registry), s->drain / USEC_PER_SEC);
	str_appendf(&state, "STOPPING=1\nSTATUS=Draining\nEXTEND_TIMEOUT_USEC=%llu", s->drain + END_MSEC * USEC_PER_MSEC);
	service_notify(state.data);
	mcp_http_drain(s->http, s->drain_ends);
	continue_drain(s);
}

static void on_stage_timer(void *data)
{
	struct serve *s = data;

	if (s->stage == STAGE_DRAINING)
		continue_drain(s);
	else if (s->stage == STAGE_SAVING)
		enter_stage(s, STAGE_CLOSING);
	else
		enter_stage(s, s->stage + 1);
}

/* ---- causes of a shutdown ---- */

static void on_input_or_output_ended(enum lineio_end end, const char *reason, void *data)
{
	log_info("the client has left: %s", reason);
	enter_stage(data, end == LINEIO_INPUT_ENDED ? STAGE_FINISHING : STAGE_CLOSING);
}

static void on_client_gone(const char *who, void *data)
{
	log_info("the process that started this server has ended: %s", who);
	enter_stage(data, STAGE_CLOSING);
}

static void dump_tasks(void)
{
	_cleanup_(str_done) struct str text = {};

	task_dump(&text);
	fprintf(stderr, "%s: %u calls running\n%s", log_program(), task_count(), str_text(&text));
}

/* As process 1, of a container, this process becomes the parent of processes whose own parent has ended. */
static void reap_orphans(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void on_signal(uint32_t events, void *data)
{
	struct serve *s = data;
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR1) {
		dump_tasks();
		return;
	}
	if (info.ssi_signo == SIGCHLD) {
		reap_orphans();
		return;
	}
	log_info("ending: %s", strsignal((int)info.ssi_signo));
	if (info.ssi_signo == SIGTERM && s->http && s->drain && s->stage == STAGE_SERVING)
		serve_drain(s);
	else if (s->stage <= STAGE_DRAINING && s->fleet) /* a further signal does not wait for what is being saved */
		end_serving(s);
	else
		enter_stage(s, STAGE_CLOSING);
}

/*
 * The C library notifies of a finished name look-up in a thread that has no signals blocked. A signal that arrives in
 * that thread would end the process, so it is forwarded to the main thread, which has it blocked and reads it from
 * the descriptor.
 */
static pid_t main_thread;

static void forward_signal(int number)
{
	syscall(SYS_tgkill, getpid(), main_thread, number);
}

static int watch_signals(struct serve *s)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD };
	const struct sigaction action = { .sa_handler = forward_signal, .sa_flags = SA_RESTART };
	size_t count = ARRAY_SIZE(numbers) - (getpid() != 1); /* orphans become children of process 1 only */
	sigset_t set;

	main_thread = gettid();
	sigemptyset(&set);
	for (size_t i = 0; i < count; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < count; i++)
		sigaction(numbers[i], &action, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signals < 0)
		return -errno;
	return watch_new(s->loop, s->signals, EPOLLIN, on_signal, s, &s->signal_watch);
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
	app->observers = observers_new(s->loop, app->registry, &o->observers);
	if (o->store.url) {
		app->store = store_new(s->loop, &o->store);
		app->states = states_new(app->store, o->store.ttl);
	}
	app->output.browser = app->browser;
	app->output.artifacts = artifacts_new();
	return r < 0 ? r : give_owners_directories(s, o);
}

/* What a set of tools brings besides its tools. */
static void add_capability(struct serve *s, const struct capability *c)
{
	if (c->resources)
		s->mcp.resources = c->resources;
	if (c->around)
		s->mcp.around = c->around;
	if (c->begin)
		c->begin(&s->mcp);
}

static void warn_of_exposed_files(const struct options *o)
{
	const char *path;

	for (unsigned at = 0; (path = options_exposed_file(o, &at));)
		log_warning("%s contains secrets and can be read by every user of this machine: chmod 600 it", path);
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

static void on_called(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	struct serve *s = CONTAINER_OF(mcp_call_data(call), struct serve, app);
	const struct tool *tool = mcp_call_tool(call);

	log_event("tool_called", mcp_call_session_id(call), "tool: ?, outcome: ?, milliseconds: ?", tool->name,
		  report_outcome(outcome), duration / USEC_PER_MSEC);
	resources_after_call(&s->mcp, call);
	if (s->webmcp_news)
		webmcp_after_call(call);
	if (s->report)
		report_call(s->report, tool, outcome, duration);
}

static int start_lines(struct serve *s, int in, int out)
{
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
	s->report = report_new(&s->app, s->mcp.tools);
	s->http_services.report_data = s->report;
	if (o->http.node && o->store.url) {
		s->fleet = fleet_new(s->loop, &s->app, o->http.node, o->store.ttl);
		s->http_services.archive = fleet_archive(s->fleet);
	}
	r = mcp_http_new(&s->mcp, &o->http, &s->http_services, &s->http, &why);
	if (r < 0) {
		log_error("cannot listen on %s port %d: %s", o->http.host, o->http.port, why ? why : strerror(-r));
		return r;
	}
	report_set_http(s->report, s->http);
	if (s->fleet)
		fleet_set_http(s->fleet, s->http);
	http_announce(s->http, &o->http, profile->program);
	return 0;
}

static void init_mcp(struct serve *s, const struct options *o, const struct option_profile *profile)
{
	failure_words_use(tool_hints);
	s->mcp = profile->server;
	s->mcp.loop = s->loop;
	s->mcp.version = BROWSERD_VERSION;
	s->mcp.data = &s->app;
	s->mcp.tools = s->tools = tool_list_new(o, profile);
	s->mcp.missing = tool_list_missing;
	s->mcp.missing_data = o;
	s->mcp.style = tool_list_style(o, profile);
	tool_list_instructions(o, profile, s->tools, &s->instructions);
	s->mcp.instructions = s->instructions.len ? s->instructions.data : NULL;
	s->mcp.called = on_called;
	s->mcp.own_tools = s->webmcp_news ? &webmcp_tools : NULL;
	s->mcp.around = notes_around;
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
	r = watch_signals(s);
	if (r < 0)
		return r;
	s->drain = o->drain;
	s->stage_timer = timer_new(s->loop, on_stage_timer, s);
	r = start_services(s, o);
	warn_of_exposed_files(o);
	if (r == 0)
		r = open_sink(s, o);
	if (r < 0)
		return r;
	init_mcp(s, o, profile);
	return o->http.port >= 0 ? start_http(s, o, profile) : start_lines(s, in, out);
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
		log_end(s);
	lineio_free(s->lines);
	mcp_http_free(s->http);
	http_services_done(&s->http_services);
	report_free(s->report);
	free(s->tools);
	str_done(&s->instructions);
	observers_free(s->app.observers);
	registry_free(s->app.registry);
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
	dump_tasks();
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
