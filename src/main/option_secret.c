/*
 * Options whose values are secrets: reads the file of --secrets, overwrites such values in argv and the environment, and finds
 * files with secrets that other users can read.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "main/environment.h"
#include "main/option_parser.h"

/* The end of the quoted text that begins at `value`, if nothing but a comment follows it; NULL: that is not quoted. */
static char *closing_quote(char *value)
{
	char *end = *value && strchr("'\"`", *value) ? value + 1 : NULL, *rest;

	while (end && *end && *end != *value)
		end += end[0] == '\\' && end[1] ? 2 : 1;
	if (!end || !*end)
		return NULL;
	rest = end + 1 + strspn(end + 1, " \t\r");
	return !*rest || *rest == '#' ? end : NULL;
}

/* In double quotes, \n and \r are the ends of lines. In place. */
static void expand_line_ends(char *text)
{
	char *out = text;

	for (; *text; text++) {
		bool escape = text[0] == '\\' && (text[1] == 'n' || text[1] == 'r');

		text += escape;
		*out++ = escape ? (char)(*text == 'n' ? '\n' : '\r') : *text;
	}
	*out = '\0';
}

/* The value in what follows the sign behind a name, in place. A # behind a blank begins a comment. */
static char *option_secret_take_value(char *text)
{
	char *value = text + strspn(text, " \t"), *end = closing_quote(value);

	if (end) {
		bool expands = *value++ == '"';

		*end = '\0';
		if (expands)
			expand_line_ends(value);
		return value;
	}
	end = strstr(value, " #");
	for (end = end ? end : value + strlen(value); end > value && strchr(" \t\r", end[-1]); end--)
		;
	*end = '\0';
	return value;
}

/* Parses NAME=VALUE, NAME: VALUE or export NAME="VALUE" in place; false for other lines, such as comments. */
static bool parse_secret(char *line, struct secret *ret)
{
	char *name = line + strspn(line, " \t"), *sign;

	if (strncmp(name, "export ", 7) == 0)
		name += 7 + strspn(name + 7, " \t");
	sign = name + strcspn(name, "=: \t");
	sign += strspn(sign, " \t");
	if (*name == '#' || (*sign != '=' && strncmp(sign, ": ", 2) != 0))
		return false;
	*sign = '\0';
	name[strcspn(name, " \t")] = '\0';
	*ret = (struct secret){ name, option_secret_take_value(sign + 1) };
	return *name && *ret->value;
}

struct secret *secrets_parse(struct arena *a, const char *text)
{
	struct secret *secrets = arena_alloc(a, (strlen(text) / 2 + 2) * sizeof(*secrets));
	char *copy = arena_strdup(a, text + (starts_with(text, BYTE_ORDER_MARK) ? strlen(BYTE_ORDER_MARK) : 0)), *rest;
	size_t count = 0;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		count += parse_secret(line, &secrets[count]);
	secrets[count] = (struct secret){};
	return secrets;
}

static size_t count_members(const struct json *object)
{
	size_t count = 0;

	json_foreach(member, object)
		count++;
	return count;
}

/* The secrets that the config file has itself. */
static struct secret *given_secrets(struct options *o)
{
	struct secret *list = arena_alloc(&o->arena, (count_members(o->given_secrets) + 1) * sizeof(*list)), *s = list;

	json_foreach(member, o->given_secrets)
		if (*json_str(member, NULL))
			*s++ = (struct secret){ json_name(member), json_str(member, NULL) };
	*s = (struct secret){};
	return list;
}

/* Secrets so short that masking them would also mask ordinary text. @playwright/mcp masks "1" everywhere. */
static int refuse_short_secret(struct parser *p, const struct secret *s)
{
	const char *file = p->options->secrets_path ? p->options->secrets_path : p->options->config_read;

	if (p->options->forgiving) {
		log_warning(
			"--secrets: the value of %.100s in %s has less than %d bytes and is not masked: that would mask other text",
			s->name, file, MASK_VALUE_MIN);
		return 0;
	}
	str_appendf(p->error,
		    "--secrets: the value of %.100s in %s has less than %d bytes, too few to distinguish it from other text in "
		    "answers; give a longer one or leave it out",
		    s->name, file, MASK_VALUE_MIN);
	return -EINVAL;
}

static size_t count_secrets(const struct secret *list)
{
	size_t count = 0;

	while (list && list[count].name)
		count++;
	return count;
}

/* Which of the secrets are masked. */
static int settle_mask(struct parser *p)
{
	struct options *o = p->options;
	struct secret *masked = arena_alloc(&o->arena, (count_secrets(o->secrets) + 1) * sizeof(*masked));
	size_t count = 0;
	int r = 0;

	for (const struct secret *s = o->secrets; s && s->name && r == 0; s++) {
		if (strlen(s->value) < MASK_VALUE_MIN)
			r = refuse_short_secret(p, s);
		else
			masked[count++] = *s;
	}
	masked[count] = (struct secret){};
	o->masked_secrets = count ? masked : NULL;
	return r;
}

static int read_secrets(struct parser *p, const char *path, struct secret **ret)
{
	struct options *o = p->options;
	_cleanup_(str_done) struct str text = {};
	int r;

	r = file_read(path, LIMIT_CONFIG, &text);
	if (r < 0)
		return option_fail_file(p, "secrets", path, r);
	*ret = secrets_parse(&o->arena, str_text(&text));
	return 0;
}

int option_load_secrets(struct parser *p)
{
	struct options *o = p->options;
	struct secret *secrets = NULL;
	int r;

	if (o->secrets_path) {
		r = read_secrets(p, o->secrets_path, &secrets);
		if (r < 0)
			return r;
	} else if (o->given_secrets) {
		secrets = given_secrets(o);
	}
	o->secrets = secrets;
	return settle_mask(p);
}

static void blank(const char *value)
{
	if (value)
		memset((char *)value, '*', strlen(value)); /* argv and the environment are writable memory of this process */
}

static void blank_arguments(char *argv[])
{
	const struct option *option;
	const char *value;

	for (int i = argv[0] ? 1 : 0; argv[i];) {
		i += option_read_argument(argv + i, &option, &value);
		if (option && option->secret)
			blank(value);
		for (; value && option_continues(option, argv[i]); i++)
			if (option->secret)
				blank(argv[i]);
	}
}

static void blank_variables(const struct option *option, char *const env[])
{
	char name[OPTION_VARIABLE_MAX];

	for (unsigned nth = 0; option_variable(option, nth, name, sizeof(name)); nth++) {
		blank(environment_get(env, name));
		unsetenv(name);
	}
}

void options_blank(char *argv[], char *const env[])
{
	blank_arguments(argv);
	for (const struct option *option = option_table; option->flag; option++)
		if (option->secret)
			blank_variables(option, env);
}

static bool config_has_secret(const struct options *o)
{
	for (const struct option *option = option_table; option->flag; option++)
		for (size_t i = 0; i < ARRAY_SIZE(option->keys) && option->secret; i++)
			if (option->keys[i] && json_get(o->config, option->keys[i]))
				return true;
	return false;
}

const char *options_exposed_file(const struct options *o, unsigned *at)
{
	const char *const paths[] = {
		o->secrets_path,
		o->auth_token_file,
		o->store_password_file,
		o->tls.key,
		config_has_secret(o) ? o->config_read : NULL,
	};
	struct stat st;

	while (*at < ARRAY_SIZE(paths)) {
		const char *path = paths[(*at)++];

		if (path && stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_mode & S_IROTH)
			return path;
	}
	return NULL;
}
