#include "loop/process_status.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/limits.h"

static uint64_t kilobytes(const char *status, const char *name)
{
	const char *line = strstr(status, name);

	return line ? strtoull(line + strlen(name), NULL, 10) << 10 : 0;
}

/* The last one of "\nNSpid:\t4711\t12\n". */
static pid_t innermost(const char *status)
{
	const char *line = strstr(status, "\nNSpid:");
	char *end;
	long pid = 0, next;

	if (!line)
		return 0;
	for (line += strlen("\nNSpid:"); *line == '\t' || *line == ' '; line = end) {
		next = strtol(line, &end, 10);
		if (end == line)
			break;
		pid = next;
	}
	return (pid_t)pid;
}

int process_status(pid_t pid, struct process_status *ret)
{
	_cleanup_(str_done) struct str text = {};
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	r = file_read(path, LIMIT_PROCESS_TEXT, &text);
	if (r < 0)
		return r;
	ret->number = innermost(text.data);
	ret->anonymous = kilobytes(text.data, "\nRssAnon:");
	ret->memory = ret->anonymous + kilobytes(text.data, "\nRssShmem:") + kilobytes(text.data, "\nVmSwap:");
	return ret->number > 0 ? 0 : -ENODATA;
}

int process_work(pid_t pid, struct process_work *ret)
{
	_cleanup_(str_done) struct str text = {};
	unsigned long long ran, waited;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	r = file_read(path, LIMIT_PROCESS_TEXT, &text);
	if (r < 0)
		return r;
	if (sscanf(text.data, "%llu %llu", &ran, &waited) != 2)
		return -ENODATA;
	*ret = (struct process_work){ .ran = ran / 1000, .waited = waited / 1000, .all = process_time(pid) / 1000 };
	return 0;
}

static int read_of_thread(pid_t pid, pid_t thread, const char *file, struct str *out)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/%s", pid, thread, file);
	return file_read(path, LIMIT_PROCESS_TEXT, out);
}

int thread_work(pid_t pid, pid_t thread, struct thread_work *ret)
{
	static const char sleeps[] = "\nvoluntary_ctxt_switches:", state[] = "\nState:\t";
	_cleanup_(str_done) struct str status = {}, times = {};
	const char *line, *letter;
	char *rest;
	int r;

	r = read_of_thread(pid, thread, "status", &status);
	if (r == 0)
		r = read_of_thread(pid, thread, "schedstat", &times);
	if (r < 0)
		return r;
	line = strstr(str_text(&status), sleeps);
	letter = strstr(str_text(&status), state);
	if (!line || !letter)
		return -ENODATA;
	ret->sleeps = strtoull(line + strlen(sleeps), NULL, 10);
	ret->runnable = letter[strlen(state)] == 'R';
	ret->ran = strtoull(str_text(&times), &rest, 10) / 1000;
	ret->waited = strtoull(rest, NULL, 10) / 1000;
	return 0;
}

static bool process_status_has_name(pid_t pid, pid_t thread, const char *name)
{
	_cleanup_(str_done) struct str text = {};
	size_t len = strlen(name);

	return read_of_thread(pid, thread, "comm", &text) == 0 && text.len == len + 1 && memcmp(text.data, name, len) == 0;
}

/* The state is the word after the name, which may have parentheses itself. */
static bool is_runnable(pid_t pid, pid_t thread, const char *unused)
{
	_cleanup_(str_done) struct str text = {};
	const char *end;

	if (read_of_thread(pid, thread, "stat", &text) < 0)
		return false;
	end = strrchr(str_text(&text), ')');
	return end && end[1] == ' ' && end[2] == 'R';
}

static DIR *open_threads(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return opendir(path);
}

static pid_t find_thread(pid_t pid, bool (*accepts)(pid_t pid, pid_t thread, const char *name), const char *name)
{
	const struct dirent *entry;
	DIR *threads = open_threads(pid);
	pid_t thread = 0, found = 0;

	while (threads && !found && (entry = readdir(threads))) {
		thread = (pid_t)strtol(entry->d_name, NULL, 10);
		if (thread && accepts(pid, thread, name))
			found = thread;
	}
	if (threads)
		closedir(threads);
	return found;
}

pid_t process_thread(pid_t pid, const char *name)
{
	return find_thread(pid, process_status_has_name, name);
}

bool process_is_idle(pid_t pid, usec_t ran, usec_t time)
{
	return ran < time / 4 && !find_thread(pid, is_runnable, NULL);
}

uint64_t process_time(pid_t pid)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) < 0)
		return 0;
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

bool process_has_argument(pid_t pid, const char *argument)
{
	_cleanup_(str_done) struct str command = {};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	/* The arguments are separated by NULs, and by blanks if the process has written its command line anew, as Chromium's do. */
	return file_read(path, LIMIT_PROCESS_TEXT, &command) == 0 &&
	       memmem(str_text(&command), command.len, argument, strlen(argument));
}

static unsigned children_of_thread(pid_t pid, pid_t thread, pid_t *ret, unsigned count, unsigned room)
{
	_cleanup_(str_done) struct str text = {};
	const char *p;
	char *end;
	long child;

	if (read_of_thread(pid, thread, "children", &text) < 0)
		return count;
	for (p = str_text(&text); count < room && (child = strtol(p, &end, 10)) > 0; p = end)
		ret[count++] = (pid_t)child;
	return count;
}

unsigned process_children(pid_t pid, pid_t *ret, unsigned count, unsigned room)
{
	const struct dirent *entry;
	DIR *threads = open_threads(pid);

	while (threads && (entry = readdir(threads)))
		if (entry->d_name[0] != '.')
			count = children_of_thread(pid, (pid_t)strtol(entry->d_name, NULL, 10), ret, count, room);
	if (threads)
		closedir(threads);
	return count;
}
