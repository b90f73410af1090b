#include "engine/started.h"

#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/limits.h"
#include "loop/process.h"
#include "loop/scratch.h"

#define GRACE_MSEC 1000

static void forget_old_output(struct started *s)
{
	size_t excess = s->output.len > LIMIT_BROWSER_STDERR ? s->output.len - LIMIT_BROWSER_STDERR : 0;

	if (!excess)
		return;
	memmove(s->output.data, s->output.data + excess, s->output.len - excess + 1);
	s->output.len -= excess;
}

static void started_on_output(const char *text, size_t len, void *data)
{
	struct started *s = data;

	if (s->ready)
		return;
	str_append_len(&s->output, text, len);
	forget_old_output(s);
}

static void started_on_exited(int status, void *data)
{
	struct started *s = data;
	char how[80];

	s->exited = true;
	process_describe_status(status, how, sizeof(how));
	s->ended(how, s->data);
}

static const struct process_handler process_handler = { .output = started_on_output, .exited = started_on_exited };

static void make_folder(struct started *s, const char *name, struct str *ret_path)
{
	str_reset(ret_path);
	str_appendf(ret_path, "%s/%s", scratch_path(s->scratch), name);
	mkdir(ret_path->data, 0700);
}

int started_prepare(struct started *s, const struct engine_choice *choice, struct str *error)
{
	int r = scratch_new(SCRATCH_PROFILE, &s->scratch);

	str_append(&s->program, choice->program);
	if (choice->sandbox_warning)
		str_appendf(&s->warning, ". %s", choice->sandbox_warning);
	if (r < 0) {
		str_reset(error);
		str_appendf(
			error,
			"Failed to launch the browser: cannot create a profile folder in %s: %s; set TMPDIR to a folder that can be written",
			file_temporary_directory(), strerror(-r));
		return r;
	}
	make_folder(s, "browserd-downloads", &s->downloads);
	make_folder(s, "browserd-uploads", &s->uploads);
	return 0;
}

int started_run(struct started *s, struct loop *l, const struct arguments *args, const struct arguments *env, int lock, int channel,
		bool keeps, void (*ended)(const char *how, void *data), void *data, struct str *error)
{
	const struct process_plan plan = {
		.argv = args->items,
		.env = env->items,
		.folder = s->scratch,
		.lock = lock,
		.channel = channel,
		.grace_msec = keeps ? GRACE_MSEC : 0,
	};
	int r;

	s->ended = ended;
	s->data = data;
	r = process_start(l, &plan, &process_handler, s, &s->process);
	if (r < 0) {
		str_reset(error);
		str_appendf(error, "Failed to launch %s: %s", args->items[0], strerror(-r));
		s->scratch = scratch_remove(s->scratch);
	}
	return r;
}

void started_done(struct started *s)
{
	process_free(s->process);
	if (s->exited) /* its keeper, too, which has removed it or was killed */
		scratch_remove(s->scratch);
	else
		scratch_free(s->scratch);
	str_done(&s->downloads);
	str_done(&s->uploads);
	str_done(&s->output);
	str_done(&s->program);
	str_done(&s->warning);
	*s = (struct started){};
}
