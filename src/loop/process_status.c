#include "loop/process_status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_MAX (16u << 10)

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
	char path[64], text[STATUS_MAX];
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return -ESRCH;
	text[len] = '\0';
	ret->number = innermost(text);
	ret->memory = kilobytes(text, "\nRssAnon:") + kilobytes(text, "\nRssShmem:") + kilobytes(text, "\nVmSwap:");
	return ret->number > 0 ? 0 : -ENODATA;
}
