/* --state-dir: where saved states are on this machine, and their key. */
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "main/environment.h"
#include "main/option_parser.h"

/* $XDG_STATE_HOME/browserd; without a home folder as well, below that of temporary files, which lasts until the machine starts again. */
static const char *default_folder(struct options *o, char *const env[])
{
	const char *state = environment_get(env, "XDG_STATE_HOME"), *home = environment_get(env, "HOME");

	if (state && *state == '/')
		return arena_printf(&o->arena, "%s/browserd", state);
	if (home && *home == '/')
		return arena_printf(&o->arena, "%s/.local/state/browserd", home);
	return arena_printf(&o->arena, "/tmp/browserd-%u", (unsigned)geteuid());
}

void option_settle_states(struct parser *p, char *const env[])
{
	struct options *o = p->options;
	char here[PATH_MAX];

	o->states.path = o->state_dir ? o->state_dir : default_folder(o, env);
	if (*o->states.path != '/')
		o->states.path = arena_printf(&o->arena, "%s/%s", getcwd(here, sizeof(here)) ? here : "", o->states.path);
	if (!o->states.key.path)
		o->states.key.path = arena_printf(&o->arena, "%s/key", o->states.path);
	o->states.unnamed = o->http.port >= 0 ? "http" : "user";
}
