#include "engine/arguments.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/str.h"

#define TMPDIR_MAX 60 /* bytes; a socket in a folder there, 45 bytes more, has to have a name of at most 107 */

void arguments_add(struct arguments *a, const char *arg)
{
	if (a->count + 1 >= a->cap) {
		const char **grown = arena_alloc(&a->arena, (a->cap * 2 + 64) * sizeof(*grown));

		if (a->count)
			memcpy(grown, a->items, a->count * sizeof(*grown));
		a->items = grown;
		a->cap = a->cap * 2 + 64;
	}
	a->items[a->count++] = arg;
}

void arguments_done(struct arguments *a)
{
	arena_done(&a->arena);
}

void arguments_build_environment(struct arguments *env, const struct json *variables, const char *temporary)
{
	if (strlen(temporary) > TMPDIR_MAX)
		temporary = file_temporary_directory();
	json_foreach(variable, variables) {
		_cleanup_(str_done) struct str value = {};

		if (json_type(variable) == JSON_STRING)
			str_append(&value, json_text(variable, NULL));
		else
			json_print(&value, variable);
		if (strcmp(json_name(variable), "TMPDIR") != 0)
			arguments_add(env, arena_printf(&env->arena, "%s=%s", json_name(variable), str_text(&value)));
	}
	for (char **entry = variables ? NULL : environ; entry && *entry; entry++)
		if (strncmp(*entry, "TMPDIR=", 7) != 0)
			arguments_add(env, *entry);
	arguments_add(env, arena_printf(&env->arena, "TMPDIR=%s", temporary));
	arguments_add(env, NULL);
}

/* The place of the variable, that of the NULL at the end when it is not set. */
static size_t find_variable(const struct arguments *env, const char *name)
{
	size_t len = strlen(name), i = 0;

	while (env->items[i] && (strncmp(env->items[i], name, len) != 0 || env->items[i][len] != '='))
		i++;
	return i;
}

void arguments_set_variable(struct arguments *env, const char *name, const char *value)
{
	size_t at = find_variable(env, name);
	bool is_new = !env->items[at];

	env->items[at] = arena_printf(&env->arena, "%s=%s", name, value);
	if (is_new)
		arguments_add(env, NULL);
}

const char *arguments_variable(const struct arguments *env, const char *name)
{
	const char *entry = env->items[find_variable(env, name)];

	return entry ? entry + strlen(name) + 1 : NULL;
}
