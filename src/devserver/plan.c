#include "devserver/plan.h"

#include <libgen.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

static const char **copy_list(struct arena *a, const char *const *list, size_t room)
{
	size_t n = 0;
	const char **copied;

	while (list && list[n])
		n++;
	copied = arena_alloc(a, (n + room + 1) * sizeof(*copied));
	for (size_t i = 0; i < n; i++)
		copied[i] = arena_strdup(a, list[i]);
	copied[n] = NULL;
	return copied;
}

static void plan_add_to_list(const char **list, const char *text)
{
	while (*list)
		list++;
	list[0] = text;
	list[1] = NULL;
}

static bool has_variable(const char *const *env, const char *name)
{
	size_t len = strlen(name);

	for (; *env; env++)
		if (strncmp(*env, name, len) == 0 && (*env)[len] == '=')
			return true;
	return false;
}

static bool is_replaced(const char *variable, const char *const *by)
{
	size_t len = strcspn(variable, "=");

	for (; by && *by; by++)
		if (strncmp(variable, *by, len) == 0 && (*by)[len] == '=')
			return true;
	return false;
}

/* browserd's own settings, which may contain tokens, and PORT, which is browserd's own port if it is set. */
static bool plan_is_private(const char *variable)
{
	return strncmp(variable, "BROWSERD_", 9) == 0 || strncmp(variable, "PLAYWRIGHT_MCP_", 15) == 0 ||
	       strncmp(variable, "PORT=", 5) == 0;
}

/* The environment of browserd without private variables, plus the variables of the plan. */
static const char **make_env(struct arena *a, const struct devserver_plan *plan)
{
	size_t n = 0, count = 0;
	const char **env;

	while (environ[count])
		count++;
	for (const char *const *e = plan->env; e && *e; e++)
		count++;
	env = arena_alloc(a, (count + 3) * sizeof(*env));
	for (char **e = environ; *e; e++)
		if (!plan_is_private(*e) && !is_replaced(*e, plan->env))
			env[n++] = arena_strdup(a, *e);
	for (const char *const *e = plan->env; e && *e; e++)
		env[n++] = arena_strdup(a, *e);
	env[n] = NULL;
	/* Python buffers output to a pipe, so log lines would be delayed. */
	if (!has_variable(env, "PYTHONUNBUFFERED"))
		plan_add_to_list(env, "PYTHONUNBUFFERED=1");
	if (plan->port && !(plan->env && has_variable(plan->env, "PORT")))
		plan_add_to_list(env, arena_printf(a, "PORT=%d", plan->port));
	return env;
}

void plan_copy(struct arena *a, const struct devserver_plan *plan, struct devserver_plan *ret)
{
	const char **folders = copy_list(a, plan->log_folders, 4);

	*ret = *plan;
	ret->command_path = arena_strdup(a, plan->command_path);
	ret->command = arena_strdup(a, plan->command);
	ret->args = copy_list(a, plan->args, 0);
	ret->env = make_env(a, plan);
	ret->cwd = arena_strdup(a, plan->cwd);
	ret->ready_url = arena_strdup(a, plan->ready_url);
	plan_add_to_list(folders, arena_strdup(a, file_temporary_directory()));
	plan_add_to_list(folders, "/tmp");
	if (plan->command_path)
		plan_add_to_list(folders, dirname(arena_strdup(a, plan->command_path)));
	if (plan->cwd)
		plan_add_to_list(folders, ret->cwd);
	ret->log_folders = folders;
}

void plan_add_variable(struct arena *a, struct devserver_plan *plan, const char *variable)
{
	const char **env = copy_list(a, plan->env, 1);

	plan_add_to_list(env, arena_strdup(a, variable));
	plan->env = env;
}
