#include "main/install.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/find.h"

bool install_browser(const struct options *o, int out)
{
	_cleanup_(engine_choice_done) struct engine_choice choice = {};
	struct engine_options wanted = o->browser.start;
	_cleanup_(str_done) struct str error = {};
	int r = engine_find(&wanted, &choice, &error);

	if (r == -ENODEV) { /* Where there is no display, scripts install for another place or for work without windows. */
		wanted.headless = true;
		str_reset(&error);
		r = engine_find(&wanted, &choice, &error);
	}
	if (r < 0)
		dprintf(STDERR_FILENO, "%s\n", error.data);
	else
		dprintf(out, "%s is installed, nothing to do: %s (%s)\n", choice.name, choice.program, choice.reason);
	return r == 0;
}
