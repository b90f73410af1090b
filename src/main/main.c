/* browserd: reads the options, reserves stdout for MCP, and runs the requested command. */
#include <errno.h>
#include <fcntl.h>
#ifdef BROWSERD_STATIC
#include <nss.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/display.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/log.h"
#include "base/mask.h"
#include "engine/find.h"
#include "main/commit.h"
#include "main/doctor.h"
#include "main/install.h"
#include "main/options.h"
#include "main/serve.h"
#include "main/service.h"
#include "main/vault_command.h"

extern char **environ;

/* Opens descriptors 0 to 2 if they are closed, because otherwise the next opened files would get these numbers. */
static void open_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	close(fd);
}

/*
 * Moves stdout to another descriptor and redirects stdout to stderr, so that stray output cannot get between
 * messages.
 */
static int take_stdout(void)
{
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	if (out >= 0)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	return out;
}

static int main_print_text(const struct options *o, const struct option_profile *profile)
{
	_cleanup_(str_done) struct str text = {};

	if (o->action == ACTION_HELP)
		options_help(profile, &text);
	else if (o->action == ACTION_VERSION)
		str_appendf(&text, "%s %s (commit %s)\n", profile->program, BROWSERD_VERSION, BROWSERD_COMMIT);
	else if (o->action == ACTION_MAN)
		options_man(profile, &text);
	else if (o->action == ACTION_COMPLETION)
		options_completion(profile, (enum option_shell)o->completion, &text);
	else if (o->markdown == MARKDOWN_TOOLS)
		tools_markdown(&text);
	else if (o->markdown == MARKDOWN_ENGINES)
		engines_markdown(&text);
	else
		options_markdown(profile, &text);
	if (fputs(text.data, stdout) < 0 || fflush(stdout) != 0)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}

static int print_config(const struct options *o)
{
	_cleanup_(str_done) struct str text = {}, indented = {}, origins = {};
	_cleanup_(json_freep) struct json *config = NULL;

	options_print_config(o, &text);
	options_print_origins(o, &origins);
	if (json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &config) < 0)
		return EXIT_FAILURE;
	json_print_indented(&indented, config);
	if (puts(indented.data) < 0 || fflush(stdout) != 0)
		return EXIT_FAILURE;
	fputs(str_text(&origins), stderr);
	return EXIT_SUCCESS;
}

/*
 * Says at the start what is wrong with the browser: over stdio only about a sandbox that is required, because the first call says the
 * rest. Over HTTP the operator sees the log, and clients the failures of their calls. It may still be installed.
 */
static void main_check_browser(const struct options *o)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	_cleanup_(str_done) struct str error = {};
	int r;

	if (o->browser.endpoints || (o->browser.start.sandbox != SANDBOX_ON && o->http.port < 0))
		return;
	r = engine_find(&o->browser.start, &choice, &error);
	if (r < 0 && o->http.port >= 0)
		log_warning("calls will fail: %s", error.data);
	else if (choice.sandbox_warning)
		log_warning("%s", choice.sandbox_warning);
}

static int run_server(const struct options *o, const struct option_profile *profile)
{
	int out, r;

	main_check_browser(o);
	out = take_stdout();
	r = out < 0 ? -errno : serve(o, profile, STDIN_FILENO, out);
	if (r < 0 && o->http.port < 0)
		log_error("cannot serve on stdin and stdout: %s", strerror(-r));
	close(out);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int run_action(const struct options *o, const struct option_profile *profile)
{
	log_set_level((enum log_level)o->log_level);
	log_set_json(o->log_format == LOG_FORMAT_JSON);
	log_release();
	switch ((enum option_action)o->action) {
	case ACTION_SERVE:
		return run_server(o, profile);
	case ACTION_DOCTOR:
		return doctor(o, profile->program, STDOUT_FILENO) > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
	case ACTION_INSTALL:
		return install_browser(o, STDOUT_FILENO) ? EXIT_SUCCESS : EXIT_FAILURE;
	case ACTION_VAULT:
		return vault_command(o, STDIN_FILENO, STDOUT_FILENO) ? EXIT_SUCCESS : EXIT_FAILURE;
	case ACTION_PRINT_CONFIG:
		return print_config(o);
	default:
		return main_print_text(o, profile);
	}
}

#ifdef BROWSERD_STATIC
/*
 * /etc/nsswitch.conf may name modules that a static C library loads at run time, and those of another version of the library
 * crash it. Host names are looked up in /etc/hosts and by DNS, for which it has what it needs.
 */
static void configure_name_service(void)
{
	__nss_configure_lookup("hosts", "files dns");
	__nss_configure_lookup("services", "files");
	__nss_configure_lookup("passwd", "files");
	__nss_configure_lookup("group", "files");
}
#else
static void configure_name_service(void)
{
}
#endif

int main(int argc, char *argv[])
{
	const struct option_profile *profile = option_profile_take(&argv);
	_cleanup_(str_done) struct str error = {};
	struct options o;
	int status;

	configure_name_service();
	log_set_program(profile->program);
	signal(SIGPIPE, SIG_IGN);
	open_standard_descriptors();
	log_hold();
	if (options_parse(&o, profile, argv, environ, &error) < 0) {
		log_release();
		fprintf(stderr, "%s: %s\n", profile->program, error.data);
		return profile->usage_status;
	}
	options_blank(argv, environ);
	service_connect();
	mask_configure(o.masked_secrets);
	status = run_action(&o, profile);
	mask_done();
	options_done(&o);
	return status;
}
