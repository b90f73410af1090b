/* Parses command line and environment, and merges all sources in the order of precedence. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "browser/storage.h"
#include "main/option_parser.h"
#include "main/serve_egress.h"
#include "page/emulate.h"
#include "tools/capability.h"

#define MOBILE_DEVICE "Pixel 10"

/* ---- the command line ---- */

static const struct option *find_flag(const char *flag, size_t len)
{
	for (const struct option *option = option_table; option->flag; option++)
		if (strlen(option->flag) == len && !strncmp(option->flag, flag, len))
			return option;
	return NULL;
}

static const struct option *find_letter(char letter)
{
	for (const struct option *option = option_table; option->flag; option++)
		if (option->letter && option->letter == letter)
			return option;
	return NULL;
}

/* Shows only the name, because after '=' there may be the value of a misspelt secret option. */
static int refuse_flag(struct parser *p, const char *arg)
{
	size_t len = arg[1] == '-' ? strcspn(arg, "=") : MIN(strlen(arg), 2u), dashes = MIN(len, 2u);
	_cleanup_(freep) char *word = must(strndup(arg + dashes, len - dashes));
	struct suggestion s = { .word = word };

	for (const struct option *option = option_table; option->flag; option++)
		suggestion_consider(&s, option->flag);
	str_appendf(p->error, "unknown option %.*s; ", (int)MIN(len, 200u), arg);
	if (s.best)
		str_appendf(p->error, "did you mean --%s?", s.best);
	else
		str_append(p->error, "--help lists them all");
	return -EINVAL;
}

static int refuse_word(struct parser *p, const char *word)
{
	str_appendf(p->error, "unknown command \"%.200s\"; the only one is doctor, and --help lists the options", word);
	return -EINVAL;
}

static int take_word(struct parser *p, const char *word)
{
	if (strcmp(word, "doctor") != 0)
		return refuse_word(p, word);
	p->options->action = ACTION_DOCTOR;
	return 0;
}

/* The next argument as the value; NULL if it is an option, i.e. the value is missing. */
static const char *value_after(const struct option *option, const char *next)
{
	if (!next || (option->type != OPTION_LIST && !strncmp(next, "--", 2)))
		return NULL;
	return next;
}

int option_read_argument(char *const argv[], const struct option **ret, const char **ret_value)
{
	const char *arg = argv[0], *equals = strchr(arg, '=');
	const struct option *option = NULL;

	if (arg[0] == '-' && arg[1] == '-')
		option = find_flag(arg + 2, equals ? (size_t)(equals - arg - 2) : strlen(arg + 2));
	else if (arg[0] == '-' && strlen(arg) == 2)
		option = find_letter(arg[1]);
	*ret = option;
	*ret_value = NULL;
	if (option && equals)
		*ret_value = equals + 1;
	else if (option && option->type == OPTION_SWITCH)
		*ret_value = "true";
	else if (option && (*ret_value = value_after(option, argv[1])))
		return 2;
	return 1;
}

/* Parses one option with its value. Returns the number of arguments consumed. */
static int take_argument(struct parser *p, char *const argv[])
{
	const struct option *option;
	const char *value;
	char origin[OPTION_VARIABLE_MAX];
	int taken, r;

	if (argv[0][0] != '-')
		return take_word(p, argv[0]) < 0 ? -EINVAL : 1;
	taken = option_read_argument(argv, &option, &value);
	if (!option)
		return refuse_flag(p, argv[0]);
	snprintf(origin, sizeof(origin), "--%s", option->flag);
	if (!value) {
		str_appendf(p->error, "%s needs a value: ", origin);
		option_describe_allowed(option, p->error);
		return -EINVAL;
	}
	r = option_set(p, option, origin, value);
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

const char *environment_get(char *const env[], const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; env && env[i]; i++)
		if (!strncmp(env[i], name, len) && env[i][len] == '=')
			return env[i] + len + 1;
	return NULL;
}

/* The value of the first variable in the order of precedence that is set and not empty; `name` gets its name. */
static const char *environment_value(char *const env[], const struct option *option, char *name, size_t size)
{
	const char *value = NULL;

	for (unsigned nth = 0; (!value || !*value) && option_variable(option, nth, name, size); nth++)
		value = environment_get(env, name);
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

static int apply_environment(struct parser *p, char *const env[])
{
	char name[OPTION_VARIABLE_MAX];
	int r = 0;

	p->source = SOURCE_ENVIRONMENT;
	for (const struct option *option = option_table; option->flag && r == 0; option++) {
		const char *value = environment_value(env, option, name, sizeof(name));

		if (value && option->type == OPTION_LIST && !option->separator)
			r = apply_words(p, option, name, value);
		else if (value)
			r = option_set(p, option, name, value);
	}
	return r;
}

/* ---- all sources ---- */

static void start_over(struct options *o, const struct option_profile *profile)
{
	struct json *config = o->config;
	struct arena arena = o->arena;

	*o = profile->defaults;
	o->completion = -1;
	o->markdown = -1;
	o->config = config;
	o->arena = arena;
}

static int fail_file(struct parser *p, const char *option, const char *path, int r)
{
	str_appendf(p->error, "--%s: cannot read %s: %s", option, path, strerror(-r));
	return -EINVAL;
}

static int load_scripts(struct parser *p, struct option_list *list)
{
	int r = 0;

	for (size_t i = 0; i < list->count && r == 0; i++) {
		_cleanup_(str_done) struct str text = {};

		r = file_read(list->items[i], LIMIT_SCRIPT, &text);
		if (r < 0)
			return fail_file(p, "init-script", list->items[i], r);
		list->items[i] = arena_strdup(&p->options->arena, text.data);
	}
	return r;
}

static int load_storage_state(struct parser *p)
{
	const char *path = p->options->storage_state_path, *wrong;
	struct json **state = &p->options->storage_state;
	_cleanup_(str_done) struct str text = {};
	int r;

	if (!path)
		return 0;
	r = file_read(path, LIMIT_STORAGE_STATE, &text);
	if (r < 0)
		return fail_file(p, "storage-state", path, r);
	*state = json_free(*state);
	r = json_parse(text.data, text.len, LIMIT_JSON_DEPTH, JSON_REFUSE_UNREPRESENTABLE, state);
	wrong = r < 0 ? "it is not valid JSON" : storage_check(*state);
	if (!wrong)
		return 0;
	str_appendf(p->error, "--storage-state: cannot use %s: %s", path, wrong);
	return -EINVAL;
}

/* Parses NAME=VALUE or export NAME="VALUE" in place; false for other lines, such as comments. */
static bool parse_secret(char *line, struct secret *ret)
{
	char *name = line + strspn(line, " \t"), *value = strchr(name, '='), *end;

	if (*name == '#' || !value)
		return false;
	*value++ = '\0';
	if (strncmp(name, "export ", 7) == 0)
		name += 7 + strspn(name + 7, " \t");
	name[strcspn(name, " \t")] = '\0';
	value += strspn(value, " \t");
	for (end = value + strlen(value); end > value && strchr(" \t\r", end[-1]); end--)
		;
	if (end - value >= 2 && strchr("'\"", *value) && end[-1] == *value) {
		value++;
		end--;
	}
	*end = '\0';
	*ret = (struct secret){ name, value };
	return *name && *value;
}

/* Refuses secrets so short that masking them would also mask ordinary text. */
static int refuse_short_secret(struct parser *p, const struct secret *s)
{
	str_appendf(p->error,
		    "--secrets: the value of %.100s in %s has less than %d bytes, too few to distinguish it from other text in "
		    "answers; give a longer one or leave it out",
		    s->name, p->options->secrets_path, MASK_VALUE_MIN);
	return -EINVAL;
}

static int load_secrets(struct parser *p)
{
	struct options *o = p->options;
	_cleanup_(str_done) struct str text = {};
	struct secret *secrets;
	size_t count = 0;
	char *copy, *rest;
	int r;

	if (!o->secrets_path)
		return 0;
	r = file_read(o->secrets_path, LIMIT_CONFIG, &text);
	if (r < 0)
		return fail_file(p, "secrets", o->secrets_path, r);
	secrets = arena_alloc(&o->arena, (text.len / 2 + 2) * sizeof(*secrets));
	copy = arena_strdup(&o->arena, text.data);
	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		count += parse_secret(line, &secrets[count]);
	secrets[count] = (struct secret){};
	o->secrets = secrets;
	for (const struct secret *s = secrets; s->name; s++)
		if (strlen(s->value) < MASK_VALUE_MIN)
			return refuse_short_secret(p, s);
	return 0;
}

static void warn_of_capabilities(const struct options *o)
{
	for (size_t i = 0; i < o->caps.count; i++) {
		const struct capability *c = capability_table;

		while (c->name && strcmp(c->name, o->caps.items[i]) != 0)
			c++;
		if (!c->name)
			log_warning("--caps: unknown capability \"%.64s\" is ignored", o->caps.items[i]);
	}
}

static void settle_viewport(struct options *o)
{
	const struct device *device = device_find(o->device);

	if (o->viewport.width > 0)
		return;
	if (device)
		o->viewport = (struct size){ device->width, device->height };
	else if (o->headless == HEADLESS || !o->viewport_of_window)
		o->viewport = (struct size){ 1280, 720 };
}

/* Hash of the working directory's path, for the name of its profile: FNV-1a. */
static uint32_t directory_hash(const char *path)
{
	uint32_t hash = 2166136261u;

	for (; *path; path++)
		hash = (hash ^ (uint8_t)*path) * 16777619u;
	return hash;
}

static const char *profile_of_folder(struct options *o, char *const env[])
{
	const char *parent = environment_get(env, "PWMCP_PROFILES_DIR_FOR_TEST");
	const char *cache = environment_get(env, "XDG_CACHE_HOME"), *home = environment_get(env, "HOME");
	char here[PATH_MAX];
	uint32_t hash = directory_hash(getcwd(here, sizeof(here)) ? here : "/");

	if (!parent && cache && *cache == '/')
		parent = arena_printf(&o->arena, "%s/browserd", cache);
	else if (!parent)
		parent = arena_printf(&o->arena, "%s/.cache/browserd", home && *home ? home : "/tmp");
	return arena_printf(&o->arena, "%s/mcp-%08x", parent, hash);
}

#define HTTP_PORT 3000 /* the default */

/* The variable PORT is read with --transport http only, because many environments set it for other programs. */
static int settle_transport(struct parser *p, char *const env[])
{
	const char *port = environment_get(env, "PORT");
	struct options *o = p->options;
	char *end;
	long n;

	if (o->transport == TRANSPORT_STDIO)
		o->port = -1;
	if (o->transport != TRANSPORT_HTTP || o->port >= 0)
		return 0;
	n = port && *port ? strtol(port, &end, 10) : HTTP_PORT;
	if (port && *port && (*end || n < 0 || n > 65535)) {
		str_appendf(p->error, "PORT is not a port number: \"%s\"; give a whole number from 0 to 65535", port);
		return -EINVAL;
	}
	o->port = (int)n;
	return 0;
}

/* Settles members that depend on several options or on the environment. */
static int settle(struct parser *p, char *const env[])
{
	const char *x11 = environment_get(env, "DISPLAY"), *wayland = environment_get(env, "WAYLAND_DISPLAY");
	bool display = (x11 && *x11) || (wayland && *wayland);
	struct options *o = p->options;
	int r;

	if (o->headless == HEADLESS_WITHOUT_DISPLAY)
		o->headless = display ? HEADED : HEADLESS;
	if (o->mobile && o->device) {
		str_append(p->error, "--mobile and --device exclude each other: leave one of them out");
		return -EINVAL;
	}
	if (o->mobile)
		o->device = MOBILE_DEVICE;
	if (o->isolated && o->user_data_dir) {
		str_append(p->error, "--isolated and --user-data-dir exclude each other: leave one of them out");
		return -EINVAL;
	}
	if (o->profile_of_folder && !o->isolated && !o->user_data_dir && !o->storage_state_path)
		o->user_data_dir = profile_of_folder(o, env);
	r = serve_egress_check(o, p->error);
	if (r < 0)
		return r;
	settle_viewport(o);
	warn_of_capabilities(o);
	r = settle_transport(p, env);
	if (r == 0)
		r = load_scripts(p, &o->init_scripts);
	if (r == 0)
		r = load_storage_state(p);
	return r < 0 ? r : load_secrets(p);
}

static const char *config_variable(char *const env[])
{
	char name[OPTION_VARIABLE_MAX];

	return environment_value(env, find_flag("config", strlen("config")), name, sizeof(name));
}

static int parse_sources(struct parser *p, const struct option_profile *profile, char *const argv[], char *const env[])
{
	struct options *o = p->options;
	const char *file;
	int r;

	/* The first pass finds the config file and whether the command is to print a text only. */
	start_over(o, profile);
	p->first_pass = true;
	r = apply_command_line(p, argv);
	p->first_pass = false;
	if (r < 0 || (o->action != ACTION_SERVE && o->action != ACTION_DOCTOR))
		return r;
	file = o->config_path ? o->config_path : config_variable(env);
	start_over(o, profile);
	o->config_read = file;
	if (file) {
		r = config_apply(p, file);
		if (r < 0)
			return r;
	}
	r = apply_environment(p, env);
	if (r == 0)
		r = apply_command_line(p, argv);
	return r < 0 ? r : settle(p, env);
}

int options_parse(struct options *ret, const struct option_profile *profile, char *const argv[], char *const env[],
		  struct str *error)
{
	struct options o = {};
	struct parser p = { .options = &o, .error = error };
	int r;

	r = parse_sources(&p, profile, argv, env);
	if (r < 0) {
		options_done(&o);
		return r;
	}
	*ret = o;
	return 0;
}

void options_done(struct options *o)
{
	o->config = json_free(o->config);
	o->storage_state = json_free(o->storage_state);
	arena_done(&o->arena);
}
