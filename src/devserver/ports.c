#include "devserver/ports.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/macros.h"
#include "loop/process.h"

#define STATE_LISTEN 0x0A /* TCP_LISTEN in Linux's net/tcp_states.h */
#define LISTENERS_MAX 4096
#define MEMBERS_MAX 512 /* processes of one server that are examined */

struct socket {
	int port;
	unsigned long inode;
};

struct sockets {
	struct socket items[LISTENERS_MAX];
	size_t count;
};

/* "sl: local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode ..." */
static void ports_read_table(const char *path, struct sockets *s)
{
	FILE *f = fopen(path, "re");
	char line[512];

	while (f && fgets(line, sizeof(line), f) && s->count < LISTENERS_MAX) {
		unsigned port, state;
		unsigned long inode;

		if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*x:%*x %*x:%*x %*x %*u %*u %lu", &port, &state,
			   &inode) == 3 &&
		    state == STATE_LISTEN)
			s->items[s->count++] = (struct socket){ (int)port, inode };
	}
	if (f)
		fclose(f);
}

static struct sockets *read_listening(void)
{
	struct sockets *s = must(malloc(sizeof(*s)));

	s->count = 0;
	ports_read_table("/proc/net/tcp", s);
	ports_read_table("/proc/net/tcp6", s);
	return s;
}

/* The port of the listening socket behind a descriptor, 0 when it is not one. */
static int port_of_descriptor(const struct sockets *s, int folder, const char *fd)
{
	char link[64];
	ssize_t n = readlinkat(folder, fd, link, sizeof(link) - 1);
	unsigned long inode;

	if (n < 0)
		return 0;
	link[n] = '\0';
	if (sscanf(link, "socket:[%lu]", &inode) != 1)
		return 0;
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].inode == inode)
			return s->items[i].port;
	return 0;
}

/* The lowest port on which the process listens, or `wanted` if that is not 0 and among them; else 0. */
static int port_of_process(const struct sockets *s, pid_t pid, int wanted)
{
	char path[64];
	int lowest = 0;
	struct dirent *e;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	if (!dir)
		return 0;
	while ((e = readdir(dir))) {
		int port = port_of_descriptor(s, dirfd(dir), e->d_name);

		if (port && (!wanted || port == wanted) && (!lowest || port < lowest))
			lowest = port;
	}
	closedir(dir);
	return lowest;
}

/* Updates the lowest port and its process. */
static void take_lowest_port(const struct sockets *s, pid_t pid, int wanted, int *lowest, pid_t *ret_pid)
{
	int port = port_of_process(s, pid, wanted);

	if (!port || (*lowest && port >= *lowest))
		return;
	*lowest = port;
	*ret_pid = pid;
}

/* Searches all descendants of `p`. */
static int find_member(const struct sockets *s, const struct process *p, int wanted, pid_t *ret_pid)
{
	pid_t members[MEMBERS_MAX];
	size_t count = process_members(p, members, MEMBERS_MAX);
	int lowest = 0;

	for (size_t i = 0; i < count; i++)
		take_lowest_port(s, members[i], wanted, &lowest, ret_pid);
	return lowest;
}

static void find_any_process(const struct sockets *s, int wanted, pid_t *ret_pid)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	int lowest = 0;

	while (proc && (e = readdir(proc)) && !lowest)
		if (atoi(e->d_name) > 0)
			take_lowest_port(s, atoi(e->d_name), wanted, &lowest, ret_pid);
	if (proc)
		closedir(proc);
}

static bool ports_lists(const struct sockets *s, int port)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].port == port)
			return true;
	return false;
}

bool port_is_taken(int port)
{
	_cleanup_(freep) struct sockets *s = read_listening();

	return ports_lists(s, port);
}

/*
 * Reads only the process name, because arguments may contain secrets. A process can set its name to any bytes, so characters
 * other than printable ASCII are removed.
 */
static void read_name(pid_t pid, char *buf, size_t size)
{
	char path[64];
	size_t n = 0;
	FILE *f;
	int c;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	f = fopen(path, "re");
	while (f && n < size - 1 && (c = fgetc(f)) != EOF)
		if (c >= ' ' && c < 0x7f)
			buf[n++] = (char)c;
	buf[n] = '\0';
	if (f)
		fclose(f);
}

bool port_find_holder(int port, struct port_holder *ret)
{
	_cleanup_(freep) struct sockets *s = read_listening();

	if (!ports_lists(s, port))
		return false;
	*ret = (struct port_holder){};
	find_any_process(s, port, &ret->pid);
	if (ret->pid)
		read_name(ret->pid, ret->name, sizeof(ret->name));
	return true;
}

bool port_is_held_by(int port, const struct process *p, pid_t *ret_pid)
{
	_cleanup_(freep) struct sockets *s = read_listening();
	pid_t pid;

	return ports_lists(s, port) && find_member(s, p, port, ret_pid ? ret_pid : &pid) == port;
}

int port_of(const struct process *p, pid_t *ret_pid)
{
	_cleanup_(freep) struct sockets *s = read_listening();

	return find_member(s, p, 0, ret_pid);
}
