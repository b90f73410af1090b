/*
 * browserd -> keeper -> program. The keeper is a fork that never returns from keeper_main(); it is a session leader
 * (a terminal's Ctrl-C reaches only browserd, which then shuts down in order) and a subreaper: any process that the program
 * started, however it detached itself, becomes the keeper's child when its parent ends.
 */
#include "loop/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "loop/remove.h"
#include "loop/scratch.h"

#define DEPTH_MAX 64 /* levels of the process tree that are searched */

pid_t process_parent(pid_t pid)
{
	char path[64], stat[512];
	const char *p;
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	stat[fread(stat, 1, sizeof(stat) - 1, f)] = '\0';
	fclose(f);
	p = strrchr(stat, ')'); /* the process name before it may contain any character */
	if (p)
		sscanf(p + 1, " %*c %d", &parent);
	return parent;
}

bool process_descends(pid_t pid, pid_t from)
{
	for (int depth = 0; pid > 1 && depth < DEPTH_MAX; depth++) {
		pid = process_parent(pid);
		if (pid == from)
			return true;
	}
	return false;
}

static bool is_child(pid_t pid, pid_t from)
{
	return process_parent(pid) == from;
}

static void signal_all(bool (*which)(pid_t pid, pid_t from), int signal)
{
	pid_t self = getpid();
	DIR *proc = opendir("/proc");
	struct dirent *e;

	if (!proc)
		return;
	while ((e = readdir(proc)))
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9' && which((pid_t)atoi(e->d_name), self))
			kill((pid_t)atoi(e->d_name), signal);
	closedir(proc);
}

struct keeper {
	const struct process_plan *plan;
	pid_t program, stop_command; /* 0: it has ended or was not started */
	int status;                  /* of the program */
	bool *not_executed;          /* set by the forked process of the program, in memory that it shares */
	bool childless;
	int signals;
};

/* Reaps all children that have ended and records their status. */
static void reap(struct keeper *k)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == k->program) {
			k->status = status;
			k->program = 0;
		} else if (pid == k->stop_command) {
			k->stop_command = 0;
		}
	}
	k->childless = pid < 0 && errno == ECHILD;
}

/* False where the kernel has no lists of children. */
static bool kill_children(void)
{
	FILE *f = fopen("/proc/thread-self/children", "re");
	int pid;

	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
	return f;
}

/*
 * When a child ends, its own children are reparented to the subreaper, so the loop ends when the whole tree is gone. The list of
 * children may lack one only if another has ended while it was read, which the next turn of the loop reaps before it reads again.
 */
static void kill_descendants(struct keeper *k)
{
	pid_t pid;
	int status;

	if (k->program > 0)
		kill(-k->program, SIGKILL);
	do {
		if (!kill_children())
			signal_all(is_child, SIGKILL);
		pid = waitpid(-1, &status, 0);
		if (pid == k->program)
			k->status = status;
	} while (pid > 0 || errno == EINTR);
	k->childless = true;
}

/* Passes the channel to the program only, not to the stop command. Returns the first descriptor that has to be closed. */
static int give_channel(const struct process_plan *plan, const char *const argv[])
{
	if (!plan->channel || argv != plan->argv || dup2(FD_CHANNEL, 3) < 0 || dup2(FD_CHANNEL, 4) < 0)
		return 3;
	return 5;
}

static _noreturn_ void keeper_run_program(const struct process_plan *plan, const char *const argv[], pid_t keeper,
					  bool *not_executed)
{
	sigset_t none;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	close_range((unsigned)give_channel(plan, argv), ~0u, 0);
	if (plan->cwd && chdir(plan->cwd) < 0) {
		dprintf(STDERR_FILENO, "cannot change to the directory %s: %s\n", plan->cwd, strerror(errno));
		_exit(127);
	}
	execvpe(plan->file ? plan->file : argv[0], (char *const *)argv, plan->env ? (char *const *)plan->env : environ);
	if (not_executed)
		*not_executed = true;
	dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static pid_t keeper_start_program(const struct process_plan *plan, const char *const argv[], bool *not_executed)
{
	pid_t self = getpid(), pid = fork();

	if (pid == 0)
		keeper_run_program(plan, argv, self, not_executed);
	return MAX(pid, 0);
}

static bool *shared_flag(void)
{
	void *flag = mmap(NULL, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return flag == MAP_FAILED ? NULL : flag;
}

static void report_status(const struct keeper *k, bool final)
{
	bool not_executed = k->not_executed && *k->not_executed;
	struct keeper_message m = { k->status | (not_executed ? PROCESS_NOT_EXECUTED : 0), final };

	if (write(FD_STATUS, &m, sizeof(m)) < 0 && final)
		_exit(1);
}

/* Whether nothing is left to wait for. Reports once that the program has ended while daemons may still run. */
static bool keeper_is_over(struct keeper *k, bool *reported)
{
	if (k->program > 0)
		return false;
	if (!k->plan->daemons)
		return true;
	if (!*reported)
		report_status(k, false);
	*reported = true;
	return k->childless && !k->plan->stop_command;
}

/*
 * Waits until no process is left (PROCESS_SKIP_STOP_COMMAND), browserd releases the keeper or ends, or the keeper gets SIGTERM.
 * Returns the flags for the shutdown.
 */
static unsigned keeper_wait_for_end(struct keeper *k)
{
	struct pollfd fds[] = { { .fd = FD_CONTROL, .events = POLLIN }, { .fd = k->signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	bool reported = false;
	uint8_t flags = 0;

	for (;;) {
		reap(k);
		if (keeper_is_over(k, &reported))
			return PROCESS_SKIP_STOP_COMMAND;
		if (poll(fds, ARRAY_SIZE(fds), -1) < 0 && errno != EINTR)
			return 0;
		if (fds[0].revents) {
			if (read(FD_CONTROL, &flags, 1) < 0)
				flags = 0;
			return flags;
		}
		if (fds[1].revents && read(k->signals, &info, sizeof(info)) == sizeof(info) && info.ssi_signo != SIGCHLD)
			return 0;
	}
}

/* Reaps children until `over` returns true, for at most `msec`. */
static void reap_until(struct keeper *k, bool (*over)(const struct keeper *k), unsigned msec)
{
	usec_t now, end = clock_now() + msec * USEC_PER_MSEC;
	struct pollfd child = { .fd = k->signals, .events = POLLIN };
	struct signalfd_siginfo info;

	for (reap(k); !over(k) && (now = clock_now()) < end; reap(k))
		if (poll(&child, 1, (int)((end - now + USEC_PER_MSEC - 1) / USEC_PER_MSEC)) > 0 &&
		    read(k->signals, &info, sizeof(info)) < 0)
			return;
}

static bool stop_command_has_ended(const struct keeper *k)
{
	return k->stop_command == 0;
}

static bool program_has_ended(const struct keeper *k)
{
	return k->program == 0;
}

static bool all_have_ended(const struct keeper *k)
{
	return k->childless;
}

static void run_stop_command(struct keeper *k)
{
	k->stop_command = keeper_start_program(k->plan, k->plan->stop_command, NULL);
	reap_until(k, stop_command_has_ended, k->plan->stop_command_msec);
}

static void end_gently(struct keeper *k)
{
	if (k->plan->grace_for_group) {
		signal_all(process_descends, SIGTERM);
		reap_until(k, all_have_ended, k->plan->grace_msec);
	} else if (k->program > 0) {
		kill(k->program, SIGTERM);
		reap_until(k, program_has_ended, k->plan->grace_msec);
	}
}

static int keeper_open_signals(void)
{
	sigset_t set;

	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

/* The program has ended by itself: keeps its directory until browserd releases the keeper. */
static unsigned keep_folder(struct keeper *k)
{
	struct pollfd control = { .fd = FD_CONTROL, .events = POLLIN };
	uint8_t flags = 0;

	kill_descendants(k);
	report_status(k, false);
	while (poll(&control, 1, -1) < 0 && errno == EINTR)
		;
	return read(FD_CONTROL, &flags, 1) < 0 ? 0 : flags;
}

void keeper_main(const struct process_plan *plan)
{
	struct keeper k = { .plan = plan };
	unsigned flags;

	setsid();
	prctl(PR_SET_NAME, "bd-keeper");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	prctl(PR_SET_PDEATHSIG, 0);
	k.signals = keeper_open_signals();
	k.not_executed = shared_flag();
	k.program = keeper_start_program(plan, plan->argv, k.not_executed);
	close(FD_CHANNEL);
	/* The keeper's copies must not keep the pipes open after the program has closed them. */
	dup2(FD_NULL, FD_OUTPUT);
	dup2(FD_NULL, FD_STDERR);
	flags = keeper_wait_for_end(&k);
	if (plan->keep_until_released && k.program == 0)
		flags = keep_folder(&k);
	if (plan->stop_command && !(flags & PROCESS_SKIP_STOP_COMMAND))
		run_stop_command(&k);
	if (plan->grace_msec && !k.childless)
		end_gently(&k);
	kill_descendants(&k);
	if (plan->folder && !(flags & PROCESS_LEAVE_FOLDER))
		remove_tree(scratch_path(plan->folder));
	report_status(&k, true);
	_exit(0);
}
