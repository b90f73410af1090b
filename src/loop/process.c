/*
 * browserd -> keeper -> program. The keeper is a fork that never returns from keeper_main(); it is a session leader
 * (a terminal's Ctrl-C reaches browserd alone, which then ends things in order) and a subreaper, so whatever the
 * program started, however it detached itself, becomes the keeper's child when its parent ends and is found there.
 */
#include "loop/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

#define STOP_TIMEOUT_MSEC 2000 /* how long process_free() waits for the keeper */
#define GRACE_MSEC 1000        /* how long a program whose folder is kept may take to end */
#define REMOVE_TRIES 20        /* a dying program may still write into its folder */

struct process {
	struct loop *loop;
	const struct process_handler *handler;
	void *data;
	pid_t keeper;
	int control;        /* closing it makes the keeper end everything */
	int output, status; /* read ends */
	struct watch *output_watch, *status_watch;
};

/* What the keeper inherits, moved to low numbers so that everything else can be closed at once. */
enum keeper_fd { FD_NULL, FD_OUTPUT, FD_STDERR, FD_CONTROL, FD_STATUS, FD_LOCK, FD_END };

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	remove(path);
	return 0;
}

void process_remove_tree(const char *path)
{
	for (int i = 0; i < REMOVE_TRIES && access(path, F_OK) == 0; i++)
		nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static pid_t parent_of(const char *pid)
{
	char path[64], stat[512];
	const char *p;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	stat[fread(stat, 1, sizeof(stat) - 1, f)] = '\0';
	fclose(f);
	p = strrchr(stat, ')'); /* the name before it may hold anything */
	if (p)
		sscanf(p + 1, " %*c %d", &parent);
	return parent;
}

static void kill_children(void)
{
	pid_t self = getpid();
	DIR *proc = opendir("/proc");
	struct dirent *e;

	if (!proc)
		return;
	while ((e = readdir(proc)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && parent_of(e->d_name) == self)
			kill((pid_t)atoi(e->d_name), SIGKILL);
	closedir(proc);
}

/* Every child that ends hands its own children to the subreaper, so this ends with the whole tree. */
static void kill_descendants(pid_t program, int *program_status)
{
	pid_t pid;
	int status;

	if (program > 0)
		kill(-program, SIGKILL);
	do {
		kill_children();
		pid = waitpid(-1, &status, 0);
		if (pid == program)
			*program_status = status;
	} while (pid > 0 || errno == EINTR);
}

static _noreturn_ void run_program(char *const argv[], pid_t keeper)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	close_range(FD_CONTROL, ~0u, 0);
	execvp(argv[0], argv);
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* Waits until the program has ended (true) or browserd wants it to, is gone, or somebody ended the keeper. */
static bool wait_for_end(pid_t program, int signals, int *status)
{
	struct pollfd fds[] = { { .fd = FD_CONTROL, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	pid_t pid;

	for (;;) {
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return false;
		if (fds[0].revents)
			return false;
		if (!fds[1].revents || read(signals, &info, sizeof(info)) != sizeof(info))
			continue;
		if (info.ssi_signo != SIGCHLD)
			return false;
		while ((pid = waitpid(-1, status, WNOHANG)) > 0)
			if (pid == program)
				return true;
	}
}

/* Asks the program to end and waits for it. */
static bool end_gently(pid_t program, int signals, int *status)
{
	struct pollfd child = { .fd = signals, .events = POLLIN };
	struct signalfd_siginfo info;
	pid_t pid;

	kill(program, SIGTERM);
	while (poll(&child, 1, GRACE_MSEC) > 0 && read(signals, &info, sizeof(info)) == sizeof(info))
		while ((pid = waitpid(-1, status, WNOHANG)) > 0)
			if (pid == program)
				return true;
	return false;
}

static _noreturn_ void keeper_main(char *const argv[], struct process_folder folder)
{
	pid_t self = getpid(), program;
	int signals, status = 0;
	sigset_t set;

	setsid();
	prctl(PR_SET_NAME, "bd-keeper");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, 0);
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	signals = signalfd(-1, &set, SFD_CLOEXEC);
	program = fork();
	if (program == 0)
		run_program(argv, self);
	/* Our copy must not keep the output open when the program has closed it. */
	dup2(FD_NULL, FD_OUTPUT);
	dup2(FD_NULL, FD_STDERR);
	if (program > 0 && (wait_for_end(program, signals, &status) || (folder.kept && end_gently(program, signals, &status))))
		program = 0;
	kill_descendants(program, &status);
	if (folder.path && !folder.kept)
		process_remove_tree(folder.path);
	if (write(FD_STATUS, &status, sizeof(status)) < 0)
		_exit(1);
	_exit(0);
}

/* In the fork: moves fds[] to 0, 1, 2, ... by way of numbers above all of them, and closes everything else. */
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

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void on_output(uint32_t events, void *data)
{
	struct process *p = data;
	char buf[4096];
	ssize_t n;

	while ((n = read(p->output, buf, sizeof(buf))) > 0)
		p->handler->output(buf, (size_t)n, p->data);
	if (n == 0 || (n < 0 && errno != EAGAIN))
		p->output_watch = watch_free(p->output_watch);
}

static int reap(struct process *p)
{
	int status = 0;

	if (read(p->status, &status, sizeof(status)) != sizeof(status))
		status = SIGKILL; /* the keeper itself was killed */
	while (waitpid(p->keeper, NULL, 0) < 0 && errno == EINTR)
		;
	p->keeper = 0;
	return status;
}

static void on_status(uint32_t events, void *data)
{
	struct process *p = data;
	int status;

	p->status_watch = watch_free(p->status_watch);
	if (p->output_watch)
		on_output(0, p);
	status = reap(p);
	p->handler->exited(status, p->data);
}

static int watch_child(struct process *p)
{
	int r;

	r = watch_new(p->loop, p->output, EPOLLIN, on_output, p, &p->output_watch);
	if (r < 0)
		return r;
	return watch_new(p->loop, p->status, EPOLLIN, on_status, p, &p->status_watch);
}

int process_lock_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	int r;

	if (fd < 0)
		return -errno;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		r = -errno;
		close(fd);
		return r;
	}
	return fd;
}

int process_start(struct loop *l, char *const argv[], struct process_folder folder, const struct process_handler *handler,
		  void *data, struct process **ret)
{
	_cleanup_(process_freep) struct process *p = NEW(struct process);
	int control[2] = { -1, -1 }, output[2] = { -1, -1 }, status[2] = { -1, -1 }, null = -1, lock = -1, r = 0;

	*p = (struct process){ .loop = l, .handler = handler, .data = data, .control = -1, .output = -1, .status = -1 };
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	lock = folder.path ? process_lock_dir(folder.path) : -1;
	if (null < 0 || pipe2(control, O_CLOEXEC) < 0 || pipe2(output, O_CLOEXEC) < 0 || pipe2(status, O_CLOEXEC) < 0)
		r = -errno;
	p->control = control[1];
	p->output = output[0];
	p->status = status[0];
	if (r == 0) {
		p->keeper = fork();
		if (p->keeper == 0) {
			arrange_descriptors((const int[FD_END]){ null, output[1], output[1], control[0], status[1], lock });
			keeper_main(argv, folder);
		}
		if (p->keeper < 0)
			r = -errno;
	}
	close_fd(&null);
	close_fd(&control[0]);
	close_fd(&output[1]);
	close_fd(&status[1]);
	close_fd(&lock);
	if (r < 0)
		return r;
	fcntl(p->output, F_SETFL, O_NONBLOCK);
	r = watch_child(p);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

void process_kill(struct process *p)
{
	close_fd(&p->control);
}

struct process *process_free(struct process *p)
{
	struct pollfd done;

	if (!p)
		return NULL;
	watch_free(p->output_watch);
	watch_free(p->status_watch);
	close_fd(&p->control);
	close_fd(&p->output);
	if (p->keeper > 0) {
		done = (struct pollfd){ .fd = p->status, .events = POLLIN };
		if (poll(&done, 1, STOP_TIMEOUT_MSEC) > 0)
			reap(p);
		else /* it needs nobody to go on ending what it keeps */
			log_warning("the keeper %d of a child process still works after %d ms", p->keeper, STOP_TIMEOUT_MSEC);
	}
	close_fd(&p->status);
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
