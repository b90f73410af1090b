/* Firefox as a process. It listens on a port of its choice, which it names on stderr. */
#include "engine/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/limits.h"
#include "engine/bidi/internal.h"
#include "loop/dial.h"
#include "loop/process.h"
#include "loop/request.h"
#include "loop/scratch.h"

struct launch {
	const struct engine_operations *engine;
	struct loop *loop;
	struct process *process;
	const struct launch_handler *handler;
	void *data;
	struct scratch *scratch;
	struct str downloads, uploads, output;
	bool exited;
	bool connects; /* launch_connect() was called */
	int port;      /* 0: not known yet */
	struct dial *dial;
	struct bidi *bidi;
};

static const char preferences[] = "user_pref(\"network.proxy.allow_hijacking_localhost\", true);\n"
				  "user_pref(\"general.smoothScroll\", false);\n"
				  "user_pref(\"browser.sessionhistory.max_total_viewers\", 0);\n"
				  "user_pref(\"browser.startup.page\", 0);\n"
				  "user_pref(\"browser.startup.homepage\", \"about:blank\");\n"
				  "user_pref(\"app.update.enabled\", false);\n"
				  "user_pref(\"datareporting.policy.dataSubmissionEnabled\", false);\n"
				  "user_pref(\"toolkit.telemetry.reportingpolicy.firstRun\", false);\n"
				  "user_pref(\"network.captive-portal-service.enabled\", false);\n"
				  "user_pref(\"network.connectivity-service.enabled\", false);\n"
				  "user_pref(\"dom.max_script_run_time\", 0);\n"
				  "user_pref(\"dom.ipc.reportProcessHangs\", false);\n"
				  "user_pref(\"dom.disable_open_during_load\", false);\n"
				  "user_pref(\"focusmanager.testmode\", true);\n"
				  "user_pref(\"layout.testing.top-level-always-active\", true);\n"
				  "user_pref(\"dom.min_background_timeout_value\", 0);\n"
				  "user_pref(\"dom.timeout.enable_budget_timer_throttling\", false);\n"
				  "user_pref(\"remote.bidi.dismiss_file_pickers.enabled\", true);\n"
				  "user_pref(\"security.fileuri.strict_origin_policy\", true);\n";

static void bidi_launch_on_open(void *data)
{
	struct launch *l = data;

	l->handler->connection.open(bidi_root(l->bidi), l->data);
}

static void bidi_launch_on_closed(const char *reason, void *data)
{
	struct launch *l = data;

	l->handler->connection.closed(reason, l->data);
}

static const struct bidi_handler launch_bidi_handler = { .open = bidi_launch_on_open, .closed = bidi_launch_on_closed };

static void launch_on_dialled(const struct dial_result *result, void *data)
{
	struct launch *l = data;
	const struct request request = { .host = "127.0.0.1", .port = l->port, .path = "/session", .fields = "" };

	if (result->fd < 0)
		bidi_launch_on_closed(result->failure, l);
	else if (bidi_connect(l->loop, result->fd, &request, &launch_bidi_handler, l, &l->bidi) < 0)
		bidi_launch_on_closed("the connection cannot be watched", l);
}

static void dial_port(struct launch *l)
{
	if (l->connects && l->port && !l->dial)
		l->dial = dial_new(l->loop, "127.0.0.1", l->port, launch_on_dialled, l);
}

static void launch_on_output(const char *text, size_t len, void *data)
{
	static const char announced[] = "WebDriver BiDi listening on ws://127.0.0.1:";
	struct launch *l = data;
	const char *at;

	if (l->output.len < LIMIT_BROWSER_STDERR)
		str_append_len(&l->output, text, len);
	at = l->port ? NULL : strstr(str_text(&l->output), announced);
	if (at && strchr(at, '\n'))
		l->port = atoi(at + strlen(announced));
	dial_port(l);
}

static void bidi_launch_on_exited(int status, void *data)
{
	struct launch *l = data;
	char how[80];

	l->exited = true;
	process_describe_status(status, how, sizeof(how));
	l->handler->exited(how, l->data);
}

static const struct process_handler launch_process_handler = { .output = launch_on_output, .exited = bidi_launch_on_exited };

int launch_start(struct loop *loop, const struct engine_options *o, struct launch_history *history,
		 const struct launch_handler *handler, void *data, struct str *error, struct launch **ret)
{
	_cleanup_(launch_freep) struct launch *l = NEW(struct launch);
	_cleanup_(str_done) struct str path = {};
	const char *argv[] = {
		o->executable ? o->executable : "firefox-esr", "--headless", "--remote-debugging-port=0", "--profile", NULL, NULL
	};
	FILE *f;
	int r;

	*l = (struct launch){ .engine = &bidi_engine, .loop = loop, .handler = handler, .data = data };
	r = scratch_new(SCRATCH_PROFILE, &l->scratch);
	if (r < 0) {
		str_appendf(error, "Failed to launch the browser: cannot create a profile folder in %s: %s",
			    file_temporary_directory(), strerror(-r));
		return r;
	}
	argv[4] = scratch_path(l->scratch);
	str_appendf(&path, "%s/user.js", argv[4]);
	f = fopen(path.data, "we");
	if (f) {
		fputs(preferences, f);
		fclose(f);
	}
	str_appendf(&l->downloads, "%s/browserd-downloads", argv[4]);
	str_appendf(&l->uploads, "%s/browserd-uploads", argv[4]);
	mkdir(l->downloads.data, 0700);
	mkdir(l->uploads.data, 0700);
	r = process_start(loop, &(const struct process_plan){ .argv = argv, .folder = l->scratch }, &launch_process_handler, l,
			  &l->process);
	if (r < 0) {
		str_appendf(error, "Failed to launch %s: %s", argv[0], strerror(-r));
		return r;
	}
	*ret = TAKE_PTR(l);
	return 0;
}

int launch_connect(struct launch *l)
{
	l->connects = true;
	dial_port(l);
	return 0;
}

void launch_kill(struct launch *l)
{
	process_kill(l->process);
}

const char *launch_output(struct launch *l)
{
	return str_text(&l->output);
}

const char *launch_warning(const struct launch *l)
{
	return "";
}

const char *launch_program(const struct launch *l)
{
	return "firefox-esr";
}

bool launch_uses_port(const struct launch *l)
{
	return true;
}

const char *launch_connection(const struct launch *l)
{
	return "debugging port (--remote-debugging-port)";
}

pid_t launch_pid(const struct launch *l)
{
	return process_keeper(l->process);
}

const char *launch_downloads(const struct launch *l)
{
	return l->downloads.data;
}

const char *launch_uploads(const struct launch *l)
{
	return l->uploads.data;
}

struct launch *launch_free(struct launch *l)
{
	if (!l)
		return NULL;
	dial_free(l->dial);
	bidi_free(l->bidi);
	process_free(l->process);
	if (l->exited)
		scratch_remove(l->scratch);
	else
		scratch_free(l->scratch);
	str_done(&l->downloads);
	str_done(&l->uploads);
	str_done(&l->output);
	free(l);
	return NULL;
}
