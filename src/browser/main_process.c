#include "browser/main_process.h"

#include "base/macros.h"

void main_process_look(struct main_process *m)
{
	process_work(m->pid, &m->work);
	m->looked = clock_now();
}

usec_t main_process_worked(const struct main_process *m, usec_t *ret_time)
{
	struct process_work now = m->work;
	usec_t time = clock_now() - m->looked;

	process_work(m->pid, &now);
	*ret_time = time - MIN(now.waited - m->work.waited, time);
	return now.all - m->work.all;
}

usec_t main_process_thread_time(const struct main_process *m)
{
	struct process_work work = {};

	process_work(m->pid, &work);
	return work.ran;
}

uint64_t main_process_memory(const struct main_process *m)
{
	struct process_status status = {};

	process_status(m->pid, &status);
	return status.memory;
}

void main_process_await_idle(struct main_process *m, usec_t limit)
{
	m->idle.looked = clock_now();
	m->idle.until = m->idle.looked + limit;
	m->idle.time = process_time(m->pid);
}

bool main_process_is_idle(struct main_process *m)
{
	usec_t looked = m->idle.looked;
	uint64_t before = m->idle.time;

	m->idle.looked = clock_now();
	m->idle.time = process_time(m->pid);
	return process_is_idle(m->pid, (m->idle.time - before) / 1000, m->idle.looked - looked);
}

bool main_process_is_overdue(const struct main_process *m)
{
	return m->idle.looked >= m->idle.until;
}
