/* Parses command line and environment, and merges all sources in the order of precedence. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "egress/rules.h"
#include "main/environment.h"
#include "main/option_parser.h"

/* ---- the command line ---- */

/* Shows only the name, because after '=' there may be the value of a misspelt secret option. */
static int refuse_flag(struct parser *p, const char *arg)
{
	size_t len = arg[1] == '-' ? strcspn(arg, "=") : MIN(strlen(arg), 2u), dashes = MIN(len, 2u);
	_cleanup_(freep) char *word = must(strndup(arg + dashes, len - dashes));
	struct suggestion s = { .word = word };

	for (const struct option *option = option_table; option->flag; option++)
		suggestion_consider(&s, option->config_file_only ? NULL : option->flag);
	str_appendf(p->error, "unknown option '%.*s'; ", (int)MIN(len, 200u), arg);
	if (s.best)
		str_appendf(p->error, "did you mean --%s?", s.best);
	else
		str_append(p->error, "--help lists them all");
	return -EINVAL;
}

static int refuse_word(struct parser *p, const char *word)
{
	str_appendf(
		p->error,
		"unknown command \"%.200s\"; the commands are doctor, install-browser, vault and playwright-mcp (as the first argument), and "
		"--help lists the options",
		word);
	return -EINVAL;
}

/* @playwright/mcp has names for builds of Chromium, and one for a program that nothing here needs. */
static int take_browser(struct parser *p, const char *name)
{
	if (strcmp(name, "ffmpeg") == 0)
		return 0;
	if (starts_with(name, "chromium-") || strcmp(name, "chrome-for-testing") == 0)
		name = "chromium";
	return option_set(p, option_find_flag("browser", strlen("browser")), COMMAND_INSTALL, name);
}

static int take_vault_word(struct parser *p, const char *word)
{
	const char **words = p->options->vault_words;

	if (words[1]) {
		str_appendf(p->error, "unknown word \"%.200s\" behind vault %.64s %.64s", word, words[0], words[1]);
		return -EINVAL;
	}
	words[words[0] ? 1 : 0] = word;
	return 0;
}

static int take_word(struct parser *p, const char *word)
{
	if (p->options->action == ACTION_INSTALL)
		return take_browser(p, word);
	if (p->options->action == ACTION_VAULT)
		return take_vault_word(p, word);
	if (strcmp(word, COMMAND_DOCTOR) == 0)
		p->options->action = ACTION_DOCTOR;
	else if (strcmp(word, COMMAND_INSTALL) == 0)
		p->options->action = ACTION_INSTALL;
	else if (strcmp(word, COMMAND_VAULT) == 0)
		p->options->action = ACTION_VAULT;
	else
		return refuse_word(p, word);
	return 0;
}

/* Switches of the command in @playwright/mcp: how it downloads. */
static bool is_of_installer(const char *flag)
{
	static const char *const flags[] = { "--with-deps", "--dry-run", "--force", "--list", "--only-shell", "--no-shell" };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (strcmp(flag, flags[i]) == 0)
			return true;
	return false;
}

/* Parses one option with its values. Returns the number of arguments consumed. */
static int take_argument(struct parser *p, char *const argv[])
{
	const struct option *option;
	const char *value;
	char origin[OPTION_VARIABLE_MAX];
	int taken, r;

	if (strcmp(argv[0], "--") == 0) /* what follows are words in any case */
		return 1;
	if (argv[0][0] != '-')
		return take_word(p, argv[0]) < 0 ? -EINVAL : 1;
	taken = option_read_argument(argv, &option, &value);
	if (!option && p->options->action == ACTION_INSTALL && is_of_installer(argv[0]))
		return 1;
	if (!option)
		return refuse_flag(p, argv[0]);
	snprintf(origin, sizeof(origin), "--%s", option->flag);
	if (!value) {
		str_appendf(p->error, "option '%s <%s>' argument missing; it is ", origin, option->value);
		option_describe_allowed(option, p->error);
		return -EINVAL;
	}
	r = option_set(p, option, origin, value);
	while (r == 0 && option_continues(option, argv[taken]))
		r = option_set(p, option, origin, argv[taken++]);
	return r < 0 ? r : taken;
}

static int apply_command_line(struct parser *p, char *const argv[])
{
	p->source = SOURCE_COMMAND_LINE;
	for (int i = argv[0] ? 1 : 0; argv[i];) {
		int taken = take_argument(p, argv + i);

		if (taken < 0)
			return taken;
		i += taken;
	}
	if (p->options->completion >= 0)
		p->options->action = ACTION_COMPLETION;
	if (p->options->markdown >= 0)
		p->options->action = ACTION_MARKDOWN;
	return 0;
}

/* ---- the environment ---- */

/*
 * The value of the first variable in the order of precedence that is set and not empty, without blanks around it; `name` gets the name
 * of that variable.
 */
static const char *environment_value(struct parser *p, char *const env[], const struct option *option, char *name, size_t size)
{
	const char *value = NULL;

	for (unsigned nth = 0; (!value || !*value) && option_variable(option, nth, name, size); nth++) {
		value = environment_get(env, name);
		value = value ? option_without_blanks(&p->options->arena, value) : NULL;
	}
	return value && *value ? value : NULL;
}

static int apply_words(struct parser *p, const struct option *option, const char *name, const char *value)
{
	char *rest, *copy = arena_strdup(&p->options->arena, value);
	int r = 0;

	for (char *word = strtok_r(copy, " \t\n", &rest); word && r == 0; word = strtok_r(NULL, " \t\n", &rest))
		r = option_set(p, option, name, word);
	return r;
}

#define VARIABLE_PREFIX "BROWSERD_"

static bool is_variable(const char *name)
{
	/* Those that are no options: of tests, and of the processes of an application that browserd has started. */
	static const char *const others[] = { "BROWSERD_TURN_LIMIT", "BROWSERD_SERVER_FOLDER" };
	char known[OPTION_VARIABLE_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (strcmp(others[i], name) == 0)
			return true;
	for (const struct option *option = option_table; option->flag; option++)
		for (unsigned nth = 0; option_variable(option, nth, known, sizeof(known)); nth++)
			if (strcmp(known, name) == 0)
				return true;
	return false;
}

/* Names the most similar variable of an option. Values are not shown: they may be secret. */
static void warn_unknown_variable(const char *name)
{
	_cleanup_(freep) char *flag = must(strdup(name + strlen(VARIABLE_PREFIX)));
	struct suggestion s = { .word = flag };
	char known[OPTION_VARIABLE_MAX];

	for (char *c = flag; *c; c++)
		*c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
	for (const struct option *option = option_table; option->flag; option++)
		if (option_variable(option, 0, known, sizeof(known)))
			suggestion_consider(&s, option->flag);
	if (s.best)
		option_variable(option_find_flag(s.best, strlen(s.best)), 0, known, sizeof(known));
	log_warning("the variable %.64s is unknown and ignored%s%s", name, s.best ? "; did you mean " : "", s.best ? known : "");
}

static void warn_unknown_variables(char *const env[])
{
	for (int i = 0; env && env[i]; i++) {
		_cleanup_(freep) char *name = must(strndup(env[i], strcspn(env[i], "=")));

		if (starts_with(name, VARIABLE_PREFIX) && !is_variable(name))
			warn_unknown_variable(name);
	}
}

static int apply_environment(struct parser *p, char *const env[])
{
	char name[OPTION_VARIABLE_MAX];
	int r = 0;

	p->source = SOURCE_ENVIRONMENT;
	for (const struct option *option = option_table; option->flag && r == 0; option++) {
		const char *value = environment_value(p, env, option, name, sizeof(name));

		if (value && option->type == OPTION_LIST && !option->separator)
			r = apply_words(p, option, name, value);
		else if (value)
			r = option_set(p, option, name, value);
	}
	warn_unknown_variables(env);
	return r;
}

/* ---- all sources ---- */

static size_t option_count(void)
{
	size_t n = 0;

	while (option_table[n].flag)
		n++;
	return n;
}

/* Gives the settings the names of their options. */
static void name_settings(struct options *o)
{
	for (const struct option *option = option_table; option->flag; option++)
		for (size_t i = 0; i < ARRAY_SIZE(option->names) && option->names[i]; i++)
			*(const char **)((char *)o + option->names[i]) =
				arena_printf(&o->arena, option->name_with_variable ? "--%s or %s" : "--%s", option->flag,
					     option->variable);
}

static void start_over(struct parser *p, const struct option_profile *profile)
{
	struct options *o = p->options;
	struct json *config = o->config;
	struct arena arena = o->arena;

	*o = profile->defaults;
	o->completion = -1;
	o->markdown = -1;
	o->config = config;
	o->arena = arena;
	name_settings(o);
	o->origins = arena_alloc(&o->arena, option_count() * sizeof(*o->origins));
	memset(o->origins, 0, option_count() * sizeof(*o->origins));
	memset(p->list_source, 0, option_count() * sizeof(*p->list_source));
}

static const char *config_variable(struct parser *p, char *const env[])
{
	char name[OPTION_VARIABLE_MAX];

	return environment_value(p, env, option_find_flag("config", strlen("config")), name, sizeof(name));
}

static bool needs_settings(enum option_action action)
{
	return action == ACTION_SERVE || action == ACTION_DOCTOR || action == ACTION_INSTALL || action == ACTION_VAULT ||
	       action == ACTION_PRINT_CONFIG;
}

static int parse_sources(struct parser *p, const struct option_profile *profile, char *const argv[], char *const env[])
{
	struct options *o = p->options;
	const char *file;
	int r;

	/* The first pass finds the config file and whether the command is to print a text only. */
	start_over(p, profile);
	p->first_pass = true;
	r = apply_command_line(p, argv);
	p->first_pass = false;
	if (r < 0 || !needs_settings((enum option_action)o->action))
		return r;
	file = o->config_path ? o->config_path : config_variable(p, env);
	start_over(p, profile);
	o->config_read = file;
	if (file) {
		r = config_apply(p, file);
		if (r < 0)
			return r;
	}
	r = apply_environment(p, env);
	if (r == 0)
		r = apply_command_line(p, argv);
	return r < 0 ? r : options_settle(p, env);
}

int options_parse(struct options *o, const struct option_profile *profile, char *const argv[], char *const env[], struct str *error)
{
	_cleanup_(freep) enum source *list_source = must(calloc(option_count(), sizeof(*list_source)));
	struct parser p = { .options = o, .profile = profile, .list_source = list_source, .error = error };
	int r;

	*o = (struct options){};
	r = parse_sources(&p, profile, argv, env);
	if (r < 0)
		options_done(o);
	return r;
}

void options_done(struct options *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(o->rules); i++)
		egress_rules_free(o->rules[i]);
	json_free(o->config);
	json_free(o->state);
	logins_free(o->vault);
	arena_done(&o->arena);
	*o = (struct options){};
}
