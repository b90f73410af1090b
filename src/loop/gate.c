#include "loop/gate.h"

#include <assert.h>
#include <errno.h>

void gate_init(struct gate *g, usec_t patience, int (*refuse)(struct task *t, struct gate *g))
{
	*g = (struct gate){ .patience = patience, .refuse = refuse };
	waitq_init(&g->opened);
}

void gate_done(struct gate *g)
{
	assert(!g->waiting);
	str_done(&g->words);
}

void gate_close(struct gate *g, const char *words)
{
	str_set(&g->words, words);
	if (g->closed)
		return;
	g->closed = true;
	g->closed_at = clock_now();
}

void gate_open(struct gate *g)
{
	g->closed = false;
	waitq_wake(&g->opened);
}

/* When the task has to give up, if nothing else ends its wait before. */
static usec_t gate_limit(const struct task *t, const struct gate *g)
{
	usec_t from = MAX(g->closed_at, task_gate_since(t));

	return from > USEC_NEVER - g->patience ? USEC_NEVER : from + g->patience;
}

int gate_pass(struct task *t)
{
	struct gate *g = task_gate(t);
	usec_t outer = task_deadline(t);
	int r = 0;

	if (!g || !g->closed)
		return 0;
	task_set_deadline(t, MIN(outer, gate_limit(t, g)));
	g->waiting++;
	while (r == 0 && g->closed)
		r = waitq_wait(t, &g->opened, "a gate to open");
	g->waiting--;
	task_set_deadline(t, outer);
	if (r < 0 && !task_cancelled(t) && r != -ECANCELED)
		return g->refuse(t, g);
	return r < 0 ? r : 1;
}

const char *gate_words(const struct task *t)
{
	const struct gate *g = task_gate(t);

	return g && g->closed ? str_text(&g->words) : NULL;
}
