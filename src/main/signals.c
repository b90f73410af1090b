/* Signals: ends of the process, the list of running calls (SIGUSR1), and orphans of a process 1 (SIGCHLD). */
#include "main/serve_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

void serve_dump_calls(void)
{
	_cleanup_(str_done) struct str text = {};

	task_dump(&text);
	fprintf(stderr, "%s: %u calls running\n%s", log_program(), task_count(), str_text(&text));
}

/* As process 1, of a container, this process becomes the parent of processes whose own parent has ended. */
static void reap_orphans(void)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

static void on_signal(uint32_t events, void *data)
{
	struct serve *s = data;
	struct signalfd_siginfo info;

	if (read(s->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGUSR1) {
		serve_dump_calls();
		return;
	}
	if (info.ssi_signo == SIGCHLD) {
		reap_orphans();
		return;
	}
	log_info("ending: %s", strsignal((int)info.ssi_signo));
	if (info.ssi_signo == SIGTERM && s->http && s->drain && s->stage == STAGE_SERVING)
		serve_drain(s);
	else if (s->stage <= STAGE_DRAINING && s->fleet) /* a further signal does not wait for what is being saved */
		serve_end(s);
	else
		serve_enter_stage(s, STAGE_CLOSING);
}

/*
 * The C library notifies of a finished name look-up in a thread that has no signals blocked. A signal that arrives in
 * that thread would end the process, so it is forwarded to the main thread, which has it blocked and reads it from
 * the descriptor.
 */
static pid_t main_thread;

static void forward_signal(int number)
{
	syscall(SYS_tgkill, getpid(), main_thread, number);
}

int serve_watch_signals(struct serve *s)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGCHLD };
	const struct sigaction action = { .sa_handler = forward_signal, .sa_flags = SA_RESTART };
	size_t count = ARRAY_SIZE(numbers) - (getpid() != 1); /* orphans become children of process 1 only */
	sigset_t set;

	main_thread = gettid();
	sigemptyset(&set);
	for (size_t i = 0; i < count; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < count; i++)
		sigaction(numbers[i], &action, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (s->signals < 0)
		return -errno;
	return watch_new(s->loop, s->signals, EPOLLIN, on_signal, s, &s->signal_watch);
}
