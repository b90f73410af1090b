#include "loop/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "loop/keeper.h"
#include "loop/scratch.h"

#define STOP_TIMEOUT_MSEC 2000 /* how long loop_free() waits for a keeper */
#define READ_SIZE 4096
#define READS_IN_A_TURN 8 /* of each stream of a process, which may write faster than it is read */

struct process {
	struct loop *loop;
	const struct process_handler *handler;
	void *data;
	pid_t keeper;
	bool patient;               /* the keeper may take long to end the processes, so nobody waits for it */
	int control;                /* closing it releases the keeper */
	int output, errors, status; /* read ends */
	struct watch *output_watch, *errors_watch, *status_watch;
};

/* In the forked process: moves fds[] to 0, 1, 2, ... through temporary higher numbers and closes all other descriptors. */
static void arrange_descriptors(const int fds[FD_END])
{
	int high[FD_END];

	for (int i = 0; i < FD_END; i++)
		high[i] = fds[i] >= 0 ? fcntl(fds[i], F_DUPFD, FD_END) : -1;
	for (int i = 0; i < FD_END; i++)
		if (high[i] < 0 || dup2(high[i], i) < 0)
			close(i);
	close_range(FD_END, ~0u, 0);
}

/* Reads at most `max` bytes. True until the end of the stream. */
static bool process_drain(struct process *p, int fd, size_t max, void (*take)(const char *text, size_t len, void *data))
{
	char buf[READ_SIZE];
	ssize_t n = 1;

	for (; max > 0 && (n = read(fd, buf, MIN(max, sizeof(buf)))) > 0; max -= (size_t)n)
		take(buf, (size_t)n, p->data);
	return n > 0 || (n < 0 && errno == EAGAIN);
}

static void process_on_output(uint32_t events, void *data)
{
	struct process *p = data;

	if (!process_drain(p, p->output, READS_IN_A_TURN * READ_SIZE, p->handler->output))
		p->output_watch = watch_free(p->output_watch);
}

static void process_on_errors(uint32_t events, void *data)
{
	struct process *p = data;

	if (!process_drain(p, p->errors, READS_IN_A_TURN * READ_SIZE, p->handler->errors))
		p->errors_watch = watch_free(p->errors_watch);
}

/* What the pipe holds now; daemons may go on writing. */
static size_t unread(int fd)
{
	int count = 0;

	return ioctl(fd, FIONREAD, &count) < 0 ? 0 : (size_t)count;
}

static void take_all_output(struct process *p)
{
	if (p->output_watch)
		process_drain(p, p->output, unread(p->output), p->handler->output);
	if (p->errors_watch)
		process_drain(p, p->errors, unread(p->errors), p->handler->errors);
}

/* ---- keepers that end on their own ---- */

/* A keeper that was released. It is reaped when it has ended. */
struct released {
	struct loop_end end;
	pid_t keeper;
	bool patient;
	int pidfd;
	struct watch *watch;
};

static void released_free(struct released *k)
{
	waitpid(k->keeper, NULL, WNOHANG);
	watch_free(k->watch);
	file_close(&k->pidfd);
	free(k);
}

static void on_keeper_ended(uint32_t events, void *data)
{
	struct released *k = data;

	loop_forget_end(&k->end);
	released_free(k);
}

static void await_keeper(struct loop_end *e)
{
	struct released *k = CONTAINER_OF(e, struct released, end);
	struct pollfd ended = { .fd = k->pidfd, .events = POLLIN };

	if (!k->patient && poll(&ended, 1, STOP_TIMEOUT_MSEC) == 0)
		log_warning("the keeper %d has not ended its child processes after %d ms and continues on its own", k->keeper,
			    STOP_TIMEOUT_MSEC);
	released_free(k);
}

/* Leaves the keeper to itself. The loop must not wait for it: it may be stopped, or have many files to remove. */
static void part_from_keeper(struct process *p)
{
	struct released *k = NEW(struct released);

	*k = (struct released){ .keeper = p->keeper, .patient = p->patient, .end.run = await_keeper };
	p->keeper = 0;
	k->pidfd = pidfd_open(k->keeper, 0);
	if (k->pidfd < 0 || watch_new(p->loop, k->pidfd, EPOLLIN, on_keeper_ended, k, &k->watch) < 0)
		released_free(k); /* it remains a zombie until this process ends */
	else
		loop_at_end(p->loop, &k->end);
}

/* ---- the status ---- */

static void on_status(uint32_t events, void *data)
{
	struct process *p = data;
	struct keeper_message m;

	if (read(p->status, &m, sizeof(m)) != sizeof(m))
		m = (struct keeper_message){ SIGKILL, .final = true }; /* the keeper itself was killed */
	if (m.final)
		p->status_watch = watch_free(p->status_watch);
	take_all_output(p);
	if (m.final) {
		part_from_keeper(p);
		p->handler->exited(m.status, p->data);
	} else {
		p->handler->left(m.status, p->data);
	}
}

static int watch_child(struct process *p)
{
	int r;

	r = watch_new(p->loop, p->output, EPOLLIN, process_on_output, p, &p->output_watch);
	if (r == 0 && p->errors >= 0)
		r = watch_new(p->loop, p->errors, EPOLLIN, process_on_errors, p, &p->errors_watch);
	if (r < 0)
		return r;
	return watch_new(p->loop, p->status, EPOLLIN, on_status, p, &p->status_watch);
}

/* Both ends of the pipes between browserd and the keeper. */
struct pipes {
	int null;
	int control[2], output[2], errors[2], status[2];
};

static int open_pipes(struct pipes *pipes, const struct process_plan *plan, bool errors_apart)
{
	pipes->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (pipes->null < 0 || pipe2(pipes->control, O_CLOEXEC) < 0 || pipe2(pipes->output, O_CLOEXEC) < 0 ||
	    pipe2(pipes->status, O_CLOEXEC) < 0 || (errors_apart && pipe2(pipes->errors, O_CLOEXEC) < 0))
		return -errno;
	return 0;
}

static void close_keepers_ends(struct pipes *pipes)
{
	file_close(&pipes->null);
	file_close(&pipes->control[0]);
	file_close(&pipes->output[1]);
	file_close(&pipes->errors[1]);
	file_close(&pipes->status[1]);
}

static int fork_keeper(struct process *p, const struct pipes *pipes, const struct process_plan *plan)
{
	int errors = pipes->errors[1] >= 0 ? pipes->errors[1] : pipes->output[1];

	p->keeper = fork();
	if (p->keeper == 0) {
		arrange_descriptors((const int[FD_END]){ pipes->null, pipes->output[1], errors, pipes->control[0], pipes->status[1],
							 plan->folder ? scratch_lock(plan->folder) : -1,
							 plan->lock ? plan->lock : -1, plan->channel ? plan->channel : -1 });
		keeper_main(plan);
	}
	return p->keeper < 0 ? -errno : 0;
}

int process_start(struct loop *l, const struct process_plan *plan, const struct process_handler *handler, void *data,
		  struct process **ret)
{
	_cleanup_(process_freep) struct process *p = NEW(struct process);
	struct pipes pipes = { -1, { -1, -1 }, { -1, -1 }, { -1, -1 }, { -1, -1 } };
	int r;

	*p = (struct process){ .loop = l, .handler = handler, .data = data, .patient = plan->grace_for_group || plan->daemons };
	r = open_pipes(&pipes, plan, handler->errors);
	p->control = pipes.control[1];
	p->output = pipes.output[0];
	p->errors = pipes.errors[0];
	p->status = pipes.status[0];
	if (r == 0)
		r = fork_keeper(p, &pipes, plan);
	close_keepers_ends(&pipes);
	if (r < 0)
		return r;
	fcntl(p->output, F_SETFL, O_NONBLOCK);
	fcntl(p->errors, F_SETFL, O_NONBLOCK);
	r = watch_child(p);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

void process_kill(struct process *p)
{
	file_close(&p->control);
}

void process_end(struct process *p, unsigned flags)
{
	uint8_t byte = (uint8_t)flags;

	if (p->control >= 0 && write(p->control, &byte, 1) < 0)
		log_debug("cannot write to the keeper %d: it has ended", p->keeper);
	file_close(&p->control);
}

/* Children of one thread, as the kernel lists them: "12 34 ". */
static size_t process_add_children(const char *path, pid_t *ret, size_t count, size_t max)
{
	FILE *f = fopen(path, "re");
	int pid;

	while (f && count < max && fscanf(f, "%d", &pid) == 1)
		ret[count++] = pid;
	if (f)
		fclose(f);
	return count;
}

static size_t add_children_of(pid_t pid, pid_t *ret, size_t count, size_t max)
{
	char path[320];
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	tasks = opendir(path);
	while (tasks && (e = readdir(tasks))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%.20s/children", pid, e->d_name);
		count = process_add_children(path, ret, count, max);
	}
	if (tasks)
		closedir(tasks);
	return count;
}

/* For kernels without these lists: checks the ancestors of every process. */
static size_t search_members(pid_t keeper, pid_t *ret, size_t max)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	size_t count = 0;

	while (proc && (e = readdir(proc)) && count < max)
		if (atoi(e->d_name) > 0 && process_descends(atoi(e->d_name), keeper))
			ret[count++] = atoi(e->d_name);
	if (proc)
		closedir(proc);
	return count;
}

pid_t process_keeper(const struct process *p)
{
	return p->keeper;
}

size_t process_members(const struct process *p, pid_t *ret, size_t max)
{
	size_t count = 0;

	if (p->keeper <= 0)
		return 0;
	if (access("/proc/thread-self/children", R_OK) < 0)
		return search_members(p->keeper, ret, max);
	count = add_children_of(p->keeper, ret, 0, max);
	for (size_t i = 0; i < count; i++)
		count = add_children_of(ret[i], ret, count, max);
	return count;
}

struct process *process_free(struct process *p)
{
	if (!p)
		return NULL;
	watch_free(p->output_watch);
	watch_free(p->errors_watch);
	watch_free(p->status_watch);
	file_close(&p->control);
	file_close(&p->output);
	file_close(&p->errors);
	if (p->keeper > 0)
		part_from_keeper(p);
	file_close(&p->status);
	free(p);
	return NULL;
}

void process_describe_status(int status, char *buf, size_t size)
{
	if (WIFEXITED(status))
		snprintf(buf, size, "exited with status %d", WEXITSTATUS(status));
	else
		snprintf(buf, size, "was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
}
