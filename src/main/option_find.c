/* Finds options by their names, and reads them where they stand among arguments. */
#include <string.h>

#include "main/option_parser.h"

const struct option *option_find_key(const char *key)
{
	for (const struct option *option = option_table; option->flag; option++)
		for (size_t i = 0; i < ARRAY_SIZE(option->keys); i++)
			if (option->keys[i] && !strcmp(option->keys[i], key))
				return option;
	return NULL;
}

const struct option *option_find_object(const char *key)
{
	_cleanup_(freep) char *object = must(strdup(key));
	const struct option *option = NULL;

	for (char *dot = strrchr(object, '.'); dot && !option; dot = strrchr(object, '.')) {
		*dot = '\0';
		option = option_find_key(object);
	}
	return option;
}

const struct option *option_find_flag(const char *flag, size_t len)
{
	for (const struct option *option = option_table; option->flag; option++)
		if (!option->config_file_only && strlen(option->flag) == len && !strncmp(option->flag, flag, len))
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
		option = option_find_flag(arg + 2, equals ? (size_t)(equals - arg - 2) : strlen(arg + 2));
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

bool option_continues(const struct option *option, const char *arg)
{
	return option && option->variadic && arg && arg[0] != '-' && strcmp(arg, COMMAND_DOCTOR) != 0 &&
	       strcmp(arg, COMMAND_INSTALL) != 0;
}
