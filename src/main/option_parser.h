/* Shared by the files that read options: where a value comes from, and the one way to set it. */
#pragma once

#include "main/options.h"

enum source { SOURCE_DEFAULT, SOURCE_CONFIG, SOURCE_ENVIRONMENT, SOURCE_COMMAND_LINE };

struct parser {
	struct options *options;
	enum source source;
	struct str *error;
	bool rehearsal; /* nothing is said to the user yet */
};

/*
 * What the argument `argv[0]` is: its option, NULL where it is none, and the value, NULL where it has none or it is
 * missing, which may be the next argument. Returns how many arguments these are.
 */
int option_read_argument(char *const argv[], const struct option **ret, const char **ret_value);
/* The value of a variable; NULL: there is none of that name. */
const char *environment_get(char *const env[], const char *name);

/*
 * Checks `text` and stores it; it is borrowed, unless the option is secret. -EINVAL: the parser's error says what is wrong. `origin` is how the user
 * wrote the option: "--browser", "BROWSERD_BROWSER", "browser.browserName in file".
 */
int option_set(struct parser *p, const struct option *option, const char *origin, const char *text);
/* The error that says so, and what is allowed. Returns -EINVAL. */
int option_refuse(struct parser *p, const struct option *option, const char *origin, const char *text,
		  const char *why);

/* The candidate that is most like `word`, if any is like it. Start with `best` NULL. */
struct suggestion {
	const char *word;
	const char *best;
	int distance;
};

void suggestion_consider(struct suggestion *s, const char *candidate); /* NULL is none */

/* Reads the file and sets what it holds; `p->options->config` keeps it. */
int config_apply(struct parser *p, const char *file);
