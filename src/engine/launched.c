/*
 * What engine/launch.h asks about the process of a browser that was started. Only programs link this file, with the engines: the browser in memory of
 * unit tests has no process.
 */
#include "engine/launch.h"
#include "engine/started.h"
#include "loop/process.h"

static struct started *launched(const struct launch *l)
{
	return (struct started *)l;
}

void launch_kill(struct launch *l)
{
	process_kill(launched(l)->process);
}

const char *launch_output(struct launch *l)
{
	return str_text(&launched(l)->output);
}

void launch_forget_output(struct launch *l)
{
	launched(l)->ready = true;
	str_done(&launched(l)->output);
}

const char *launch_warning(const struct launch *l)
{
	return str_text(&launched(l)->warning);
}

const char *launch_program(const struct launch *l)
{
	return launched(l)->program.data;
}

pid_t launch_pid(const struct launch *l)
{
	return process_keeper(launched(l)->process);
}

const char *launch_downloads(const struct launch *l)
{
	return launched(l)->downloads.data;
}

const char *launch_uploads(const struct launch *l)
{
	return launched(l)->uploads.data;
}
