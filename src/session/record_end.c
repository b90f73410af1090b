/* The end of records: tasks that keep the session until its record is finished. */
#include <errno.h>

#include "session/internal.h"

#define FINISH_TIME (20 * USEC_PER_SEC) /* of a large trace that is packed */

/* A task that finishes the record of a session. */
struct finish {
	LIST_ENTRY(finish) link;
	struct registry *registry;      /* which waits for the task before it is freed */
	_kept_ struct session *session; /* a reference */
	const char *why;
	struct task *task;
};

static int finish_run(struct task *t, void *data)
{
	struct finish *f = data;
	struct visit visit;
	int r;

	task_set_deadline(t, clock_now() + FINISH_TIME);
	r = session_take_turn_as_is(t, f->session, &visit);
	if (r == 0 && f->session->record)
		f->session->recorder->finish(t, f->session, f->session->record);
	session_pass_turn(&visit);
	return r;
}

static void finish_done(struct task *t, int r, void *data)
{
	struct finish *f = data;
	struct registry *registry = f->registry;

	session_give_record_back(f->session, f->why);
	LIST_REMOVE(f, link);
	session_unref(f->session);
	if (LIST_EMPTY(&registry->finishes) && registry->records_finished)
		registry->records_finished(registry->records_finished_data);
	free(f);
}

static void finish_later(struct registry *r, struct session *s, const char *why)
{
	struct finish *f = NEW(struct finish);

	f->registry = r;
	f->session = session_ref(s);
	f->why = why;
	s->record_ends = true;
	LIST_INSERT_HEAD(&r->finishes, f, link);
	if (task_start(r->loop, "finish a record", finish_run, finish_done, f, &f->task) < 0)
		finish_done(NULL, 0, f);
}

void session_end_record(struct session *s, const char *why)
{
	if (!s->record || s->record_ends)
		return;
	if (s->registry->recorder)
		finish_later(s->registry, s, why);
	else
		session_give_record_back(s, why);
}

void registry_finish_records(struct registry *r, void (*done)(void *data), void *data)
{
	struct session *s;

	TAILQ_FOREACH(s, &r->sessions, link)
		session_end_record(s, "was ended because the server is shutting down");
	if (LIST_EMPTY(&r->finishes)) {
		done(data);
		return;
	}
	r->records_finished = done;
	r->records_finished_data = data;
}

void records_done(struct registry *r)
{
	struct finish *f;

	r->recorder = NULL;
	LIST_FOREACH(f, &r->finishes, link)
		task_cancel(f->task, -ECANCELED, "the server is shutting down");
	r->records_finished = NULL;
	while (!LIST_EMPTY(&r->finishes)) /* they use the browsers, which end after the sessions */
		loop_step(r->loop);
}

void *registry_record(const struct registry *r, uint64_t owner, const char *id)
{
	const struct session *s = registry_find(r, owner, id);

	return s ? s->record : NULL;
}
