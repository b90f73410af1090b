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
#include <stdint.h>

#include "auth/keyset.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/mask.h"
#include "base/str.h"
#include "browser/browser.h"
#include "egress/egress.h"
#include "loop/tls.h"
#include "mcp/http.h"
#include "mcp/server.h"
#include "observe/redact.h"
#include "observe/sink.h"
#include "recordings/recordings.h"
#include "reply/context_records.h"
#include "reply/output.h"
#include "reply/response.h"
#include "session/observation.h"
#include "session/session.h"
#include "store/states.h"
#include "tools/e2e/settings.h"
#include "vault/logins.h"

enum option_action {
	ACTION_SERVE,
	ACTION_DOCTOR,
	ACTION_INSTALL,
	ACTION_VAULT,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_MAN,
	ACTION_COMPLETION,
	ACTION_MARKDOWN,
	ACTION_PRINT_CONFIG,
};

/*
 * Each layer declares its own settings, and rows of the table point straight into them. Members below those are values from
 * which option_settle.c computes others, and the settings of main itself.
 *
 * Members called `names` contain what messages of a layer call its settings: the options, "--max-sessions".
 *
 * Strings and lists are borrowed from argv, the environment, `config` or `arena`; lists are NULL-terminated, and NULL if they
 * are empty. Settings point to each other, so the options must not be moved.
 */
struct capability;

struct options {
	struct browser_options browser; /* and of pages: browser.page */
	int second_browser;             /* enum second_browser */
	struct browser_options second;  /* of that one */
	struct registry_options sessions;
	struct egress_settings egress;
	struct e2e_settings e2e;
	struct response_settings answers;
	struct timeouts timeouts;
	struct output_settings output;
	struct record_settings records;
	struct recording_settings recordings;
	struct observers_options observers;
	struct redact_settings redact;
	struct sink_settings sink;
	struct mcp_http_options http; /* http.port is -1 for stdin and stdout */
	bool no_view;                 /* no live view on the port of MCP */
	int view_port;                /* of a live view beside stdin and stdout; -1: none */
	struct tls_files tls;
	struct keyset_options keys;
	struct confirm_settings confirm;
	struct store_options store;
	struct state_folder states; /* its path and that of the key are NULL where the user has no home and names no folder */

	int headless; /* enum option_headless */
	usec_t drain; /* from SIGTERM to the end of an HTTP server; 0: it ends at once */
	const char *device;
	bool mobile;
	bool viewport_of_window; /* pages with a window have its size, unless a viewport is given */
	bool isolated;
	bool forgiving; /* what @playwright/mcp takes for no value is ignored with a warning, else it prevents the start */
	bool ignores_debugging_ports;     /* arguments for them are left out with a warning; else they prevent the start */
	bool profile_of_folder;           /* one profile per working directory, unless isolated or --user-data-dir */
	const struct json *storage_state; /* in the config file */
	const struct json *given_secrets; /* likewise */
	const char *storage_state_path, *secrets_path, *auth_token_file, *store_password_file, *state_dir;
	const char *const *egress_rules, *const *egress_hosts; /* egress/rules.h */
	int transport;                                         /* enum option_transport */

	const char *vault_path;
	const char *vault_words[2];       /* of ACTION_VAULT: the command and a name; NULL: none */
	const char *record, *record_keep; /* texts of those of `recordings` */

	bool no_run_code;
	int tool_profile;         /* enum option_tool_profile */
	const char *const *tools; /* names; NULL: those of the profile */
	const char *const *init_page_paths;
	const char *const *caps;
	bool vision; /* the older option for the capability of this name */
	const char *config_path;
	int log_level;  /* enum log_level */
	int log_format; /* enum option_log_format */
	int action;     /* enum option_action */
	int completion; /* enum option_shell */
	int markdown;   /* enum option_markdown */

	const char *unused_text; /* storage for options that are refused or have no effect */
	bool unused_switch;
	const char *const *unused_list;

	/* What the options and the files that they name contain. */
	const struct secret *secrets;        /* ends with {}; NULL: none */
	const struct secret *masked_secrets; /* those that are long enough, likewise */
	const struct init_page *init_pages;  /* likewise */
	struct upstream upstream;            /* of egress.upstream */
	struct egress_rules *rules[2];       /* of egress.rules and e2e.egress */
	const char *config_read;             /* path of the config file read; NULL: none */
	struct json *config, *state;         /* the parsed files */
	struct logins *vault;                /* of vault_path, for ACTION_SERVE */
	const char **origins;                /* how each option of the table was given, "--caps"; NULL: its default */
	struct arena arena;
};

enum option_headless { HEADED, HEADLESS, HEADLESS_WITHOUT_DISPLAY };
enum second_browser { SECOND_NONE, SECOND_CHROMIUM, SECOND_FIREFOX };
enum option_transport { TRANSPORT_AUTO, TRANSPORT_STDIO, TRANSPORT_HTTP };
enum option_log_format { LOG_FORMAT_TEXT, LOG_FORMAT_JSON };
enum option_shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };
enum option_tool_profile { TOOLS_FULL, TOOLS_MINIMAL };
enum option_markdown { MARKDOWN_TOOLS, MARKDOWN_OPTIONS, MARKDOWN_ENGINES };

/* The program's behaviour under one of its names. The first profile also applies to every unknown name. */
struct option_profile {
	const char *program;
	const char *summary;                  /* one line for --help */
	int usage_status;                     /* exit status for wrong options */
	struct mcp_server server;             /* serve() adds loop and data */
	const struct tool *const *tools_lazy; /* replaces the server's tools with --lazy-sessions */
	struct options defaults;
};

extern const struct option_profile option_profile_table[]; /* ends with {} */
const struct option_profile *option_profile_for(const char *argv0);
/*
 * The profile of a command line: of the name that the program was called by, unless the first argument is another of its names.
 * `*argv` then begins with that argument. Packages that cannot contain links start the program so.
 */
const struct option_profile *option_profile_take(char ***argv);

enum option_type {
	OPTION_STRING,
	OPTION_INT,
	OPTION_NUMBER,
	OPTION_CHOICE,
	OPTION_SWITCH,
	OPTION_SIZE,
	OPTION_LIST,
	OPTION_OBJECT
};

#define OPTION_KEEP (-1)

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
	GROUP_INFORMATION,
	GROUP_CONFIG_FILE
};

struct option {
	const char *flag;  /* without the dashes; of an option that only the config file has, its key */
	char letter;       /* short form; 0: none */
	const char *value; /* placeholder for the value in texts; NULL: a switch */
	const char *help;  /* one or two lines, no full stop; the default is added */
	const char *man;   /* further text for the manual; may be NULL */
	enum option_group group;

	enum option_type type;
	uint16_t offset, size;            /* of the member of struct options */
	uint16_t names[2];                /* offsets of members that get "--FLAG", for messages of the layers; 0: none */
	int on, off;                      /* what a switch stores for true and false; OPTION_KEEP: nothing */
	int64_t min, max;                 /* of a whole number */
	uint32_t unit;                    /* of a number in a 64-bit member, which is multiplied by it; 0: 1 */
	const char *const *choices;       /* NULL-terminated; the index is stored */
	const char *const *planned;       /* choices that others have, and that are refused */
	const char *const *planned_words; /* why, or what to do, for each of them */
	bool forgiven_in_command; /* where options are forgiving, unknown choices in the command are ignored as those of other sources */
	/* A further condition on a string; `allowed` describes it. */
	bool (*check)(const char *value);
	const char *allowed;

	/*
	 * BROWSERD_<FLAG> exists for every option that is not command_line_only, PLAYWRIGHT_MCP_<FLAG> if `shared`.
	 */
	bool shared;
	const char *variable; /* a further variable */
	const char *keys[2];  /* in the config file; the second one takes precedence */
	bool command_line_only, config_file_only, hidden;
	bool beside_config; /* a relative path in the config file is relative to the folder of that file */
	bool (*check_object)(const struct json *value); /* a further condition on an object; `allowed` describes it */
	bool of_texts;                                  /* an object whose members are texts, also those that look like numbers */
	bool name_with_variable;                        /* `names` get "--FLAG or VARIABLE" */
	bool variadic;           /* a list: the words that follow its value on the command line are values, too */
	bool named_items;        /* in the config file the list is an object; an item is "name: value" */
	bool names_capabilities; /* the help ends with the names of all sets of tools */
	bool may_be_empty;       /* a list whose text may have no items */
	char separator;          /* separates the items of a list in one text; 0: blanks, in variables only */
	bool secret;         /* the value is never shown, and overwritten by options_blank() where other processes could read it */
	const char *refusal; /* a sentence why the option prevents the start; NULL: it does not */
	const char *no_effect; /* a sentence why the option is accepted without effect; NULL: it has one */
};

extern const struct option option_table[]; /* ends with {} */
extern const char *const option_group_table[];

/* The name of the `nth` environment variable of `option` (from 0, in the order of precedence); false: no more. */
bool option_variable(const struct option *option, unsigned nth, char *buf, size_t size);
#define OPTION_VARIABLE_MAX 64
/* The value of a switch, a choice (its index) or a number in the unit of the option. */
int64_t option_number(const struct options *o, const struct option *option);
/* Describes the allowed values: "a whole number from 1 to 1000". */
void option_describe_allowed(const struct option *option, struct str *out);

/*
 * Fills `o` from all sources; `argv` as main() got it, `env` like environ. -EINVAL: `error` names the option (or
 * variable, or key and file), the value, and what is allowed; `o` is empty. Unknown keys of the config file are logged and left out.
 */
int options_parse(struct options *o, const struct option_profile *profile, char *const argv[], char *const env[],
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
/* Appends what enables it, "--caps states, --state-dir or --state-store", each in `quote`. */
void capability_append_ways(const struct capability *c, const char *quote, struct str *out);
/* Is one asked for whose sessions start servers? */
bool options_dev_servers(const struct options *o);

/* The options as a config file would have them, as JSON; values of secret options are not shown. */
void options_print_config(const struct options *o, struct str *out);
/* For each option that was given, a line with its key or name and where its value came from. */
void options_print_origins(const struct options *o, struct str *out);

/* Texts generated from the table. */
void options_help(const struct option_profile *profile, struct str *out);
void options_man(const struct option_profile *profile, struct str *out);
void options_markdown(const struct option_profile *profile, struct str *out); /* docs/options.md */
/* Text in a cell of a table, with what Markdown would interpret escaped. */
void markdown_cell(struct str *out, const char *text);
void tools_markdown(struct str *out);   /* docs/tools.md */
void engines_markdown(struct str *out); /* docs/engines.md */

/* Options that need something of the engine; the table ends with {}. */
struct option_feature {
	unsigned feature;
	const char *shown, *name;                  /* in docs, and in errors */
	bool (*is_asked)(const struct options *o); /* NULL: the option has a default, and no effect without the feature */
};
extern const struct option_feature option_feature_table[];
void options_completion(const struct option_profile *profile, enum option_shell shell, struct str *out);
