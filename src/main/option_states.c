/* --state-dir: where saved states are on this machine, and their key. */
#include <errno.h>

#include "main/environment.h"
#include "main/option_parser.h"

/* The state folder of the user; NULL: the user has no home, and a key that is gone after the next start of the machine would be none. */
static const char *default_folder(struct options *o, char *const env[])
{
	const char *state = environment_get(env, "XDG_STATE_HOME"), *home = environment_get(env, "HOME");

	if (state && *state == '/')
		return arena_printf(&o->arena, "%s/browserd", state);
	if (home && *home == '/')
		return arena_printf(&o->arena, "%s/.local/state/browserd", home);
	return NULL;
}

int option_settle_states(struct parser *p, char *const env[])
{
	struct options *o = p->options;
	const char *folder = o->state_dir ? o->state_dir : default_folder(o, env);

	o->states.path = folder ? option_absolute_path(p, folder) : NULL;
	if (o->states.path)
		o->states.key.path = arena_printf(&o->arena, "%s/key", o->states.path);
	o->states.unnamed = o->http.port >= 0 ? "http" : "user";
	if (o->states.path || o->store.url || !options_capability(o, "states"))
		return 0;
	str_append(p->error,
		   "--caps states: this user has no home folder for them (HOME, XDG_STATE_HOME); name one with --state-dir");
	return -EINVAL;
}
