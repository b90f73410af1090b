/*
 * The options: one table from which command line, environment, config file, --help, the manual page, the shell
 * completions and docs/options.md all come. A new option is one row in option_table.c and one member here.
 *
 * Precedence: command line > environment > config file > the defaults of the name that the program was called by
 * (`struct option_profile`). For an option that can be given several times, the first of these that has any decides.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "app/app.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "mcp/server.h"

enum option_action {
	ACTION_SERVE,
	ACTION_DOCTOR,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_MAN,
	ACTION_COMPLETION,
	ACTION_MARKDOWN,
};

struct size {
	int width, height;
};

struct option_list {
	const char **items; /* NULL-terminated; NULL: none */
	size_t count;
	int source; /* source of the items: one of higher precedence replaces all of them */
};

/* Strings are borrowed from argv, the environment, `config` or `arena`; times are milliseconds. */
struct options {
	int browser; /* enum browser_product */
	const char *executable_path;
	int headless; /* enum option_headless; HEADLESS_WITHOUT_DISPLAY is settled by options_parse() */
	int sandbox;  /* enum sandbox_mode */
	struct option_list browser_args;
	const char *proxy_server, *proxy_bypass;

	struct size viewport;    /* 0x0: that of the device, the default, or the window */
	bool viewport_of_window; /* pages with a window have its size, unless a viewport is given */
	const char *user_agent;
	const char *device;
	bool mobile;
	bool ignore_https_errors;
	int service_workers;             /* enum option_service_workers */
	struct option_list init_scripts; /* paths; options_parse() replaces them by the contents */
	struct option_list permissions;
	struct option_list allowed_origins, blocked_origins;
	struct option_list egress; /* rules, egress/rules.h */
	const char *storage_state_path;
	const char *test_id_attribute;
	bool isolated;
	const char *user_data_dir;
	bool profile_of_folder; /* one profile per working directory, unless isolated or --user-data-dir */

	int session_timeout, idle_timeout, max_sessions, max_sessions_per_owner;
	bool lazy_sessions;

	int server_idle, server_lifetime;
	struct option_list server_commands, server_dirs, server_env, server_log_dirs, egress_hosts;

	int transport; /* enum option_transport; options_parse() sets `port` accordingly */
	int port;      /* -1: stdin and stdout */
	const char *host;
	struct option_list allowed_hosts;
	const char *tls_cert, *tls_key;
	const char *auth_token, *auth_token_file;
	const char *public_url, *oauth_issuer, *oauth_audience, *oauth_jwks;
	int oauth_jwks_refresh;
	int http_session_timeout, http_max_sessions, http_max_connections, http_max_requests;
	int http_max_head, http_max_body;
	int http_calls_per_minute, http_sessions_per_minute;
	bool http_health, http_metrics;
	struct option_list confirm; /* names of tools */
	int confirm_default;        /* enum option_confirm */

	int timeout_action, timeout_navigation, timeout_settle;

	int snapshot_mode;   /* enum option_snapshots */
	int artifacts;       /* enum option_artifacts */
	int image_responses; /* enum image_responses of app/app.h */
	int file_paths;      /* enum option_paths */
	int codegen;         /* enum code_language of reply/code.h */
	const char *output_dir;
	int output_max_size;
	const char *secrets_path;
	const struct secret *secrets; /* the contents of that file; NULL: none */
	bool snapshot_boxes;
	int console_level;
	bool unrestricted_files;
	bool no_run_code;
	struct option_list caps;

	const char *cdp_host;
	int cdp_port; /* 0: none */
	bool cdp_local_only;
	int buffer_size, ttl_sec;  /* events; seconds */
	struct option_list redact; /* expressions */
	const char *event_sink;    /* "file:" and a path */
	int event_sink_size;       /* MiB */
	bool default_redaction;
	bool extended_snapshots, exact_places; /* set by the program's name only, not by options */

	const char *config_path;
	const char *config_read; /* path of the config file read; NULL: none */
	int log_level;           /* enum log_level */
	int log_format;          /* enum option_log_format */

	int action;     /* enum option_action */
	int completion; /* enum option_shell */
	int markdown;   /* enum option_markdown */

	const char *unused_text; /* storage for options that are refused or have no effect */
	bool unused_switch;

	struct json *config, *storage_state; /* the parsed files */
	struct arena arena;
};

enum option_headless { HEADED, HEADLESS, HEADLESS_WITHOUT_DISPLAY };
enum option_service_workers { SERVICE_WORKERS_ALLOW, SERVICE_WORKERS_BLOCK };
enum option_transport { TRANSPORT_AUTO, TRANSPORT_STDIO, TRANSPORT_HTTP };
enum option_snapshots { SNAPSHOTS_FULL, SNAPSHOTS_NONE };
enum option_paths { PATHS_RELATIVE, PATHS_ABSOLUTE };
enum option_confirm { CONFIRM_DENY, CONFIRM_ALLOW };
enum option_artifacts { ARTIFACTS_AUTO, ARTIFACTS_NONE, ARTIFACTS_LINK };
enum option_log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };
enum option_shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
enum option_markdown { MARKDOWN_TOOLS, MARKDOWN_OPTIONS };

/* The program's behaviour under one of its names. The first profile also applies to every unknown name. */
struct option_profile {
	const char *program;
	const char *summary;                  /* one line for --help */
	struct mcp_server server;             /* serve() adds loop and data */
	const struct tool *const *tools_lazy; /* replaces the server's tools with --lazy-sessions */
	struct options defaults;
};

extern const struct option_profile option_profile_table[]; /* ends with {} */
const struct option_profile *option_profile_for(const char *argv0);

enum option_type { OPTION_STRING, OPTION_INT, OPTION_CHOICE, OPTION_SWITCH, OPTION_SIZE, OPTION_LIST };

#define OPTION_KEEP (-1)

#define EVENT_SINK_FILE "file:" /* before the path of --event-sink */

enum option_group {
	GROUP_BROWSER,
	GROUP_PAGES,
	GROUP_SESSIONS,
	GROUP_TIMEOUTS,
	GROUP_ANSWERS,
	GROUP_OBSERVING,
	GROUP_SERVERS,
	GROUP_HTTP,
	GROUP_SERVER,
	GROUP_INFORMATION
};

struct option {
	const char *flag;  /* without the dashes */
	char letter;       /* short form; 0: none */
	const char *value; /* placeholder for the value in texts; NULL: a switch */
	const char *help;  /* one or two lines, no full stop; the default is added */
	const char *man;   /* further text for the manual; may be NULL */
	enum option_group group;

	enum option_type type;
	size_t offset, size;        /* of the member of struct options */
	int on, off;                /* what a switch stores for true and false; OPTION_KEEP: nothing */
	int min, max;               /* of a whole number */
	const char *const *choices; /* NULL-terminated; the index is stored */
	const char *const *planned; /* choices that are refused as not implemented */
	/* A further condition on a string; `allowed` describes it. */
	bool (*check)(const char *value);
	const char *allowed;

	/*
	 * BROWSERD_<FLAG> exists for every option that is not command_line_only, PLAYWRIGHT_MCP_<FLAG> if `shared`.
	 */
	bool shared;
	const char *variable; /* a further variable */
	const char *keys[2];  /* in the config file; the second one takes precedence */
	bool command_line_only, hidden;
	char separator;      /* separates the items of a list in one text; 0: blanks, in variables only */
	bool secret;         /* the value is never shown, and overwritten by options_blank() where other processes could read it */
	const char *refusal; /* a sentence why the option prevents the start; NULL: it does not */
	const char *no_effect; /* a sentence why the option is accepted without effect; NULL: it has one */
};

extern const struct option option_table[]; /* ends with {} */
extern const char *const option_group_table[];

/* The name of the `nth` environment variable of `option` (from 0, in the order of precedence); false: no more. */
bool option_variable(const struct option *option, unsigned nth, char *buf, size_t size);
/* Whether `value` is a valid token; OPTION_TOKEN_ALLOWED describes valid ones. */
bool option_is_token(const char *value);
#define OPTION_TOKEN_ALLOWED "16 to 1024 visible ASCII characters"
#define OPTION_VARIABLE_MAX 64
/* Describes the allowed values: "a whole number from 1 to 1000". */
void option_describe_allowed(const struct option *option, struct str *out);

/*
 * Fills `ret` from all sources; `argv` as main() got it, `env` like environ. -EINVAL: `error` names the option (or
 * variable, or key and file), the value, and what is allowed. Unknown keys of the config file are logged and left out.
 */
int options_parse(struct options *ret, const struct option_profile *profile, char *const argv[], char *const env[],
		  struct str *error);
void options_done(struct options *o);
/*
 * Overwrites the values of secret options in the memory that /proc/PID/cmdline and /proc/PID/environ show, and
 * removes the variables from the environment, so that child processes do not inherit them. main() calls it after
 * options_parse(), which keeps copies.
 */
void options_blank(char *argv[], char *const env[]);
/* The next file with secrets that every user of the machine can read; NULL: no more. Initialise `*at` with 0. */
const char *options_exposed_file(const struct options *o, unsigned *at);
/* Whether the capability is enabled (--caps). */
bool options_capability(const struct options *o, const char *name);
/* Is one asked for whose sessions start servers? */
bool options_dev_servers(const struct options *o);

/* Texts generated from the table. */
void options_help(const struct option_profile *profile, struct str *out);
void options_man(const struct option_profile *profile, struct str *out);
void options_markdown(const struct option_profile *profile, struct str *out); /* docs/options.md */
/* Text in a cell of a table, with what Markdown would interpret escaped. */
void markdown_cell(struct str *out, const char *text);
void tools_markdown(struct str *out); /* docs/tools.md */
void options_completion(const struct option_profile *profile, enum option_shell shell, struct str *out);
