/* Shared by the files that read options. All sources set values through option_set(). */
#pragma once

#include "main/options.h"

enum source { SOURCE_DEFAULT, SOURCE_CONFIG, SOURCE_ENVIRONMENT, SOURCE_COMMAND_LINE };

#define BYTE_ORDER_MARK "\xef\xbb\xbf" /* in front of texts of some editors */

#define COMMAND_DOCTOR "doctor"
#define COMMAND_INSTALL "install-browser"
#define COMMAND_VAULT "vault"

struct parser {
	struct options *options;
	const struct option_profile *profile;
	enum source source;
	struct str *error;
	enum source *list_source; /* of the items of each list, by row of the table */
	bool first_pass;          /* no warnings are printed yet */
};

/* The option that this key of the config file sets; NULL: none. */
const struct option *option_find_key(const char *key);
/* The option whose object has a member of this key; NULL: none. */
const struct option *option_find_object(const char *key);
/* The option with this name, of `len` bytes, on the command line; NULL: none. */
const struct option *option_find_flag(const char *flag, size_t len);
/*
 * Finds the option of `argv[0]` (NULL: not an option) and its value, which may be the next argument (NULL: none, or
 * missing). Returns the number of arguments that they take.
 */
int option_read_argument(char *const argv[], const struct option **ret, const char **ret_value);
/* Whether `arg` (NULL: none), behind a value of `option` (NULL: none), is another one: "--cdp-header A B". */
bool option_continues(const struct option *option, const char *arg);
/* The text without the blanks around it. */
const char *option_without_blanks(struct arena *a, const char *text);

/*
 * Checks `text` and stores it. It is borrowed, unless the option is secret. -EINVAL: the parser's error describes the
 * problem. `origin` is how the user wrote the option: "--browser", "BROWSERD_BROWSER", "browser.browserName in file".
 */
int option_set(struct parser *p, const struct option *option, const char *origin, const char *text);
/* option_set() for an option that is an object in the config file, which is borrowed. */
int option_set_object(struct parser *p, const struct option *option, const char *origin, const struct json *value);
/* A size that is null in the config file: stored as -1x-1. */
void option_set_no_size(struct parser *p, const struct option *option);
/* Sets the error: the problem, and the allowed values, or why no value is possible. Returns -EINVAL. */
int option_refuse(struct parser *p, const struct option *option, const char *origin, const char *text, const char *why);
/* Says that the file which `option` names cannot be read, and why (`r`). Returns -EINVAL. */
int option_fail_file(struct parser *p, const char *option, const char *path, int r);

/* Finds the candidate most similar to `word`, if any is similar. Initialise `best` with NULL. */
struct suggestion {
	const char *word;
	const char *best;
	int distance;
};

void suggestion_consider(struct suggestion *s, const char *candidate); /* NULL is ignored */

/*
 * Parses the text of the file that `option` ("config") names. -EINVAL: the parser's error says what is wrong, and in which line and
 * column.
 */
int option_parse_json(struct parser *p, const char *option, const char *path, const char *text, size_t len, struct json **ret);
/* Reads an INI file as the JSON text that stands for it. Types are those of the options. -EINVAL: `error` says what is wrong. */
int option_ini_to_json(const char *text, struct str *json, struct str *error);
/* The secrets that a file of --secrets has, in the arena; the list ends with {}. */
struct secret *secrets_parse(struct arena *a, const char *text);
/* Reads the secrets of --secrets and of the config file. -EINVAL: the parser's error says what is wrong. */
int option_load_secrets(struct parser *p);
/* The path from the root, in the arena or borrowed. Symbolic links are not resolved, so that messages show what the user wrote. */
const char *option_absolute_path(struct parser *p, const char *path);
/* Reads the files that options name, and checks their folders. -EINVAL: the parser's error says what is wrong. */
int option_load_files(struct parser *p);
/* Reads the file and sets its options; `p->options->config` keeps the parsed JSON. */
int config_apply(struct parser *p, const char *file);
/* Whether each browser can do what the options ask of pages. -EINVAL: the parser's error names the option. */
int option_check_features(struct parser *p);
/* Splits the address of --proxy-server: the user name and password are those that the proxy is given when it asks, the rest is the browser's. */
void option_settle_proxy(struct options *o);
/*
 * Computes what depends on several options, on the environment or on the contents of files. Nothing else changes options after
 * they were set.
 */
int options_settle(struct parser *p, char *const env[]);
/* Where saved states are, and the key; when the transport is known. -EINVAL: nowhere, although there should be states. */
int option_settle_states(struct parser *p, char *const env[]);
