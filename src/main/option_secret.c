/*
 * Options whose values are secrets: reads the file of --secrets, overwrites such values in argv and the environment, and finds
 * files with secrets that other users can read.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "main/option_parser.h"

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

struct secret *secrets_parse(struct arena *a, const char *text)
{
	struct secret *secrets = arena_alloc(a, (strlen(text) / 2 + 2) * sizeof(*secrets));
	char *copy = arena_strdup(a, text), *rest;
	size_t count = 0;

	for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		count += parse_secret(line, &secrets[count]);
	secrets[count] = (struct secret){};
	return secrets;
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
