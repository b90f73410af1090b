/*
 * The shutdown has stages, each with a time limit, so that it takes less than two seconds whatever hangs.
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
#include <unistd.h>

#include "app/app.h"
#include "app/refusals.h"
#include "base/file.h"
#include "base/log.h"
#include "devserver/server.h"
#include "loop/lineio.h"
#include "main/client.h"
#include "main/report.h"
#include "main/serve_egress.h"
#include "main/serve_http.h"
#include "mcp/server.h"
#include "observe/redact.h"
#include "observe/sink.h"
#include "page/emulate.h"
#include "reply/artifacts.h"
#include "reply/owner_dirs.h"
#include "tools/browser/tools.h"
#include "session/observation.h"
#include "session/session.h"
#include "tools/capability.h"
#include "tools/cdp/resources.h"
#include "tools/table.h"

#define FINISH_MSEC 700
#define CLOSE_MSEC 500
#define KILL_MSEC 300
#define FLUSH_MSEC 200
#define LAUNCH_TIMEOUT_SEC 30

enum stage { STAGE_SERVING, STAGE_FINISHING, STAGE_CLOSING, STAGE_KILLING, STAGE_OVER };

struct serve {
	struct loop *loop;
	struct browser_options browser_options;
	struct registry_options registry_options;
	struct observers_options observers_options;
	struct serve_egress egress;
	struct app app;
	struct mcp_server mcp;
	struct sink *sink;         /* NULL: none */
	const struct tool **tools; /* the server's table if it was built from options; else NULL */
	struct mcp_conn *conn;     /* over stdin and stdout, as the next two */
	struct lineio *lines;
	struct client_watch *client;
	struct mcp_http *http; /* over HTTP */
	struct mcp_http_options http_options;
	struct report *report;
	struct arena arena;
	int signals;
	struct watch *signal_watch;

	enum stage stage;
	struct timer *stage_timer;
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
	s->stage = stage;
	timer_set(s->stage_timer, clock_now() + (usec_t)limit_msec[stage] * USEC_PER_MSEC);
	if (stage == STAGE_FINISHING)
		mcp_conn_finish(s->conn, on_drained, s);
	else if (stage == STAGE_CLOSING && s->http)
		mcp_http_close(s->http, on_drained, s);
	else if (stage == STAGE_CLOSING)
		mcp_conn_close(s->conn, on_drained, s);
	else if (stage == STAGE_KILLING)
		browser_kill(s->app.browser);
	else
		loop_stop(s->loop);
}

static void on_stage_timer(void *data)
{
	struct serve *s = data;

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
	fprintf(stderr, "browserd: %u calls running\n%s", task_count(), str_text(&text));
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
	log_info("ending: %s", strsignal((int)info.ssi_signo));
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
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1 };
	const struct sigaction action = { .sa_handler = forward_signal, .sa_flags = SA_RESTART };
	sigset_t set;

	main_thread = gettid();
	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
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

static void on_oversize(void *data)
{
	mcp_conn_refuse_oversize(((struct serve *)data)->conn);
}

static void send_line(const struct mcp_outgoing *m, void *data)
{
	lineio_send(((struct serve *)data)->lines, m->text, m->len);
}

static void on_browser_died(void *data)
{
	registry_browser_died(((struct serve *)data)->app.registry);
}

static const struct lineio_handler line_handler = { on_line, on_oversize, on_input_or_output_ended };
static const struct mcp_transport transport = { .send = send_line, .same_machine = true };

/* ---- construction ---- */

struct browser_options options_for_browser(const struct options *o)
{
	const struct device *device = device_find(o->device);

	return (struct browser_options){
		.product = (enum browser_product)o->browser,
		.executable = o->executable_path,
		.headless = o->headless == HEADLESS,
		.sandbox = (enum sandbox_mode)o->sandbox,
		.page = {
			.ignore_https_errors = o->ignore_https_errors,
			.viewport_width = o->viewport.width,
			.viewport_height = o->viewport.height,
			.user_agent = o->user_agent ? o->user_agent : device ? device->user_agent : NULL,
			.device = device,
			.init_scripts = o->init_scripts.items,
			.permissions = o->permissions.items,
			.allowed_origins = o->allowed_origins.items,
			.blocked_origins = o->blocked_origins.items,
			.block_service_workers = o->service_workers == SERVICE_WORKERS_BLOCK,
			.files = o->unrestricted_files,
			.test_id_attribute = o->test_id_attribute,
			.extended_snapshots = o->extended_snapshots,
		},
		.storage_state = o->storage_state,
		.proxy_server = o->proxy_server,
		.proxy_bypass = o->proxy_bypass,
		.proxied_webrtc = options_dev_servers(o) || o->egress.count || o->allowed_origins.count || o->blocked_origins.count,
		.user_data_dir = o->user_data_dir,
		.args = o->browser_args.items,
		.timeout_launch = LAUNCH_TIMEOUT_SEC * USEC_PER_SEC,
	};
}

/* Applies the egress rules of all sessions to the browser's own traffic and its profile. */
static void restrict_browser(struct serve *s)
{
	if (!s->egress.profile)
		return;
	s->browser_options.proxy_server = egress_proxy(s->egress.profile);
	s->browser_options.proxy_bypass = "<-loopback>"; /* the proxy is used for loopback, too */
}

static void make_tools_data(struct serve *s, const struct options *o)
{
	redact_configure(o->redact.items, o->default_redaction);
	s->browser_options = options_for_browser(o);
	restrict_browser(s);
	s->registry_options = (struct registry_options){
		.timeout = (usec_t)o->session_timeout * USEC_PER_MSEC,
		.own_timeout = o->idle_timeout ? (usec_t)o->idle_timeout * USEC_PER_MSEC : USEC_NEVER,
		.max = (unsigned)o->max_sessions,
		.max_per_owner = (unsigned)o->max_sessions_per_owner,
		.shared = o->oauth_issuer,
		.lazy = o->lazy_sessions,
		.persistent = o->user_data_dir,
		.egress = &s->egress.settings,
		.profile_egress = s->egress.profile,
	};
	s->app.browser = browser_new(s->loop, &s->browser_options, on_browser_died, s);
	s->app.output.browser = s->app.browser;
	s->app.registry = registry_new(s->loop, s->app.browser, &s->registry_options);
	s->observers_options = (struct observers_options){
		.host = o->cdp_host,
		.port = o->cdp_port,
		.any_address = !o->cdp_local_only,
		.listed_only = o->port >= 0,
		.shared = o->oauth_issuer,
		.buffer_size = (size_t)o->buffer_size,
		.ttl = (usec_t)o->ttl_sec * USEC_PER_SEC,
	};
	s->app.observers = observers_new(s->loop, s->app.registry, &s->observers_options);
	s->app.output.artifacts = artifacts_new();
	s->app.answers.links = o->artifacts == ARTIFACTS_LINK || (o->artifacts == ARTIFACTS_AUTO && o->port >= 0);
	s->app.timeouts.action = (usec_t)o->timeout_action * USEC_PER_MSEC;
	s->app.timeouts.navigation = (usec_t)o->timeout_navigation * USEC_PER_MSEC;
	s->app.timeouts.settle = (usec_t)o->timeout_settle * USEC_PER_MSEC;
	s->app.answers.snapshots = o->snapshot_mode == SNAPSHOTS_FULL;
	s->app.answers.images = o->image_responses;
	s->app.answers.code = o->codegen;
	s->app.output.absolute_paths = o->file_paths == PATHS_ABSOLUTE;
	s->app.output.dir = o->output_dir;
	s->app.output.max = (uint64_t)o->output_max_size;
	s->app.secrets = o->secrets;
	s->app.e2e.commands = o->server_commands.items;
	s->app.e2e.variables = o->server_env.items;
	s->app.e2e.directories = o->server_dirs.items;
	s->app.e2e.log_folders = o->server_log_dirs.items;
	s->app.e2e.idle = (usec_t)o->server_idle * USEC_PER_MSEC;
	s->app.e2e.lifetime = (usec_t)o->server_lifetime * USEC_PER_MSEC;
	s->app.e2e.listed_only = o->port >= 0;
	s->app.answers.boxes = o->snapshot_boxes;
	s->app.answers.console_level = o->console_level;
	s->app.answers.exact_places = o->exact_places;
	s->app.output.unrestricted = o->unrestricted_files;
}

/* Over HTTP each owner has a directory of its own below --output-dir. */
static int give_owners_directories(struct serve *s, const struct options *o)
{
	int r;

	if (o->port < 0)
		return 0;
	s->app.output.dir = NULL;
	r = owner_dirs_new(o->output_dir, &s->app.output.owner_dirs);
	if (r < 0)
		log_error("cannot create a directory for the files of clients in %s: %s",
			  o->output_dir ? o->output_dir : file_temporary_directory(), strerror(-r));
	return r;
}

static void add_tools(struct serve *s, const struct tool *const *more)
{
	const struct tool **joined = tool_join(s->mcp.tools, more);

	free(s->tools);
	s->mcp.tools = s->tools = joined;
}

static void add_capability(struct serve *s, const struct capability *c)
{
	if (c->tools)
		add_tools(s, c->tools);
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
	const char *path = o->event_sink ? o->event_sink + strlen(EVENT_SINK_FILE) : NULL;
	int r;

	if (!path)
		return 0;
	r = sink_new(path, (size_t)o->event_sink_size << 20, &s->sink);
	if (r < 0)
		log_error("--event-sink: cannot open %s: %s", path, strerror(-r));
	return r;
}

static void on_called(struct mcp_call *call, enum mcp_outcome outcome, usec_t duration)
{
	struct serve *s = CONTAINER_OF(mcp_call_data(call), struct serve, app);
	const struct tool *tool = mcp_call_tool(call);

	log_event("tool_called", mcp_call_session_id(call), "tool: %s, outcome: %s, milliseconds: %llu", tool->name,
		  report_outcome(outcome), (unsigned long long)(duration / USEC_PER_MSEC));
	resources_after_call(&s->mcp, call);
	if (s->report)
		report_call(s->report, tool, outcome, duration);
}

static int start_lines(struct serve *s, int in, int out)
{
	s->conn = mcp_conn_new(&s->mcp, &transport, (struct mcp_owner){ 1, false }, s);
	s->client = client_watch_new(s->loop, on_client_gone, s);
	return lineio_new(s->loop, in, out, &line_handler, s, &s->lines);
}

static int start_http(struct serve *s, const struct options *o, const struct option_profile *profile)
{
	const char *why;
	int r;

	r = http_options_from(s->loop, o, &s->arena, &s->http_options);
	if (r < 0)
		return r;
	s->report = report_new(&s->app, s->mcp.tools);
	s->http_options.report_data = s->report;
	r = mcp_http_new(&s->mcp, &s->http_options, &s->http, &why);
	if (r < 0)
		log_error("cannot listen on %s port %d: %s", o->host, o->port, why ? why : strerror(-r));
	else
		report_set_http(s->report, s->http);
	if (r == 0)
		http_announce(s->http, &s->http_options, profile->program);
	return r;
}

static int start(struct serve *s, const struct options *o, const struct option_profile *profile, int in, int out)
{
	int r;

	r = http_wants_tls(o) || options_dev_servers(o) ? loop_new_with_tls(&s->loop) : loop_new(&s->loop);
	if (r < 0)
		return r;
	r = watch_signals(s);
	if (r < 0)
		return r;
	s->stage_timer = timer_new(s->loop, on_stage_timer, s);
	r = serve_egress_init(&s->egress, s->loop, o, &s->app);
	if (r < 0)
		return r;
	make_tools_data(s, o);
	warn_of_exposed_files(o);
	r = give_owners_directories(s, o);
	if (r == 0)
		r = open_sink(s, o);
	if (r < 0)
		return r;
	s->mcp = profile->server;
	s->mcp.loop = s->loop;
	s->mcp.version = BROWSERD_VERSION;
	s->mcp.data = &s->app;
	s->mcp.left_out = o->no_run_code ? &tool_browser_run_code_unsafe : NULL;
	s->mcp.called = on_called;
	s->mcp.around = refusals_around;
	s->mcp.confirm = o->confirm.items;
	s->mcp.confirm_default = o->confirm_default == CONFIRM_ALLOW;
	if (o->lazy_sessions)
		s->mcp.tools = profile->tools_lazy;
	if (s->app.answers.links && !s->mcp.resources)
		s->mcp.resources = &resource_table;
	for (const struct capability *c = capability_table; c->name; c++)
		if (options_capability(o, c->name))
			add_capability(s, c);
	return o->port >= 0 ? start_http(s, o, profile) : start_lines(s, in, out);
}

static void finish(struct serve *s)
{
	if (s->lines)
		lineio_flush(s->lines, FLUSH_MSEC);
	if (s->http)
		mcp_http_flush(s->http, FLUSH_MSEC * USEC_PER_MSEC);
	client_watch_free(s->client);
	timer_free(s->stage_timer);
	mcp_conn_free(s->conn);
	lineio_free(s->lines);
	mcp_http_free(s->http);
	http_options_done(&s->http_options);
	report_free(s->report);
	free(s->tools);
	observers_free(s->app.observers);
	artifacts_free(s->app.output.artifacts);
	registry_free(s->app.registry);
	browser_free(s->app.browser);
	serve_egress_done(&s->egress);
	owner_dirs_free(s->app.output.owner_dirs);
	devserver_forget_abandoned();
	sink_free(s->sink);
	redact_done();
	watch_free(s->signal_watch);
	if (s->signals >= 0)
		close(s->signals);
	loop_free(s->loop);
	arena_done(&s->arena);
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

	r = start(&s, o, profile, in, out);
	if (r == 0)
		r = loop_run(s.loop);
	if (s.stage == STAGE_OVER && !s.drained)
		give_up(&s);
	finish(&s);
	return r;
}
