#include "loop/private_port.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "loop/tcp_sockets.h"

#define AGE_TOLERANCE (100 * USEC_PER_MSEC) /* the kernel counts in its own ticks */
#define MEMBERS_MAX 64                      /* processes below the owner that are searched for the listening socket */

struct private_port {
	struct loop *loop;
	struct ended_sockets *ended;
	usec_t began; /* the record; the child was started later */
	uint16_t port;
	pid_t pid;         /* the process that listens */
	int process;       /* its pidfd */
	int listener;      /* its listening socket, taken from it */
	ino_t inode;       /* of that socket */
	int fd;            /* of the connection, until `done` has it */
	uint16_t own_port; /* the connection's end here */
	int unfiltered;    /* why the listening socket has no filter, a negative errno; 0: it has one */
	struct watch *watch;
	void (*done)(int fd, void *data);
	void *data;
};

/* ---- descriptors of other processes ---- */

/* The number in "socket:[NUMBER]", 0 for anything else. */
static ino_t socket_inode(int dir, const char *name)
{
	char text[64];
	ssize_t len = readlinkat(dir, name, text, sizeof(text) - 1);
	unsigned long inode = 0;

	if (len <= 0)
		return 0;
	text[len] = '\0';
	return sscanf(text, "socket:[%lu]", &inode) == 1 ? inode : 0;
}

static DIR *open_descriptors(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	return opendir(path);
}

/* The descriptor of `pid` for the socket; -ENOENT: it has none; -EACCES: its descriptors cannot be read. */
static int find_descriptor(pid_t pid, ino_t inode)
{
	DIR *dir = open_descriptors(pid);
	struct dirent *e;
	int found = -ENOENT;

	if (!dir)
		return -errno;
	while (found < 0 && (e = readdir(dir)))
		if (socket_inode(dirfd(dir), e->d_name) == inode)
			found = atoi(e->d_name);
	closedir(dir);
	return found;
}

static bool private_port_is_socket(int fd, ino_t inode)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_ino == inode;
}

/* Takes the listening socket from `pid`, if that has it. */
static int take_listener_of(struct private_port *p, pid_t pid)
{
	int fd = find_descriptor(pid, p->inode);

	if (fd < 0)
		return fd;
	p->process = pidfd_open(pid, 0);
	if (p->process >= 0)
		p->listener = pidfd_getfd(p->process, fd, 0);
	if (p->process < 0 || p->listener < 0)
		return -errno;
	p->pid = pid;
	return private_port_is_socket(p->listener, p->inode) ? 0 : -ENOENT; /* the number may have come to mean something else */
}

static int take_listener(struct private_port *p, const struct process *owner)
{
	pid_t members[MEMBERS_MAX];
	size_t count = process_members(owner, members, MEMBERS_MAX);
	int r = -ENOENT;

	for (size_t i = 0; i < count && r == -ENOENT; i++)
		r = take_listener_of(p, members[i]);
	return r;
}

static void note_listener(const struct tcp_socket *s, void *data)
{
	struct private_port *p = data;

	if (s->state == TCP_LISTEN && s->local == htonl(INADDR_LOOPBACK) && s->local_port == p->port && s->user == geteuid())
		p->inode = s->inode;
}

/* ---- the connection ---- */

/*
 * Attaches a program that drops every packet that is not from 127.0.0.1 and the own port. It reads from the TCP header on. Some kernels
 * permit that for the administrator only; then strangers can connect until the listening socket is closed, and are found.
 */
static int attach_filter(int listener, uint16_t own_port)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 0), /* the source port */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own_port, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)SKF_NET_OFF + 12), /* the source address in the IPv4 header */
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, INADDR_LOOPBACK, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog program = { .len = ARRAY_SIZE(code), .filter = code };
	int r;

	if (setsockopt(listener, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) == 0)
		return 0;
	r = -errno;
	log_debug("cannot filter the packets of a listening socket: %s", strerror(-r));
	return r;
}

/* A socket with a port, so that the filter can name it. No other socket can have that port and address while it is open. */
static int private_port_open_socket(struct private_port *p)
{
	struct sockaddr_in own = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(own);
	const int one = 1;

	p->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (p->fd < 0 || bind(p->fd, (struct sockaddr *)&own, size) < 0 || getsockname(p->fd, (struct sockaddr *)&own, &size) < 0 ||
	    setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) < 0)
		return -errno;
	p->own_port = ntohs(own.sin_port);
	return 0;
}

static void private_port_on_connected(uint32_t events, void *data)
{
	struct private_port *p = data;
	int fd = p->fd, error = 0;
	socklen_t size = sizeof(error);

	p->watch = watch_free(p->watch);
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
		error = errno;
	if (error)
		file_close(&p->fd);
	p->fd = -1;
	p->done(error ? -error : fd, p->data); /* may free `p` */
}

static int begin_connection(struct private_port *p)
{
	const struct sockaddr_in to = { .sin_family = AF_INET,
					.sin_port = htons(p->port),
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	if (connect(p->fd, (const struct sockaddr *)&to, sizeof(to)) < 0 && errno != EINPROGRESS)
		return -errno;
	return watch_new(p->loop, p->fd, EPOLLOUT, private_port_on_connected, p, &p->watch);
}

int private_port_new(struct loop *l, struct private_port **ret)
{
	_cleanup_(private_port_freep) struct private_port *p = NEW(struct private_port);
	int r;

	*p = (struct private_port){ .loop = l, .began = clock_now(), .process = -1, .listener = -1, .fd = -1 };
	r = ended_sockets_new(l, &p->ended);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

int private_port_connect(struct private_port *p, const struct process *owner, uint16_t port, void (*done)(int fd, void *data),
			 void *data)
{
	int r;

	p->port = port;
	p->done = done;
	p->data = data;
	r = tcp_sockets_with_port(port, note_listener, p);
	if (r == 0)
		r = p->inode ? take_listener(p, owner) : -ENOENT;
	if (r == 0)
		r = private_port_open_socket(p);
	if (r == 0)
		p->unfiltered = attach_filter(p->listener, p->own_port);
	return r < 0 ? r : begin_connection(p);
}

/* ---- others ---- */

/* Whether it is a socket of the port whose other end is not the own one, in whatever state: also one that was reset. */
static bool is_strangers(const struct private_port *p, int fd)
{
	struct sockaddr_in own = {}, peer = {};
	socklen_t own_size = sizeof(own), peer_size = sizeof(peer);

	if (getsockname(fd, (struct sockaddr *)&own, &own_size) < 0 || own.sin_family != AF_INET ||
	    ntohs(own.sin_port) != p->port || private_port_is_socket(fd, p->inode))
		return false;
	return getpeername(fd, (struct sockaddr *)&peer, &peer_size) < 0 || ntohs(peer.sin_port) != p->own_port ||
	       peer.sin_addr.s_addr != htonl(INADDR_LOOPBACK);
}

static int look_at(const struct private_port *p, int number)
{
	int fd = pidfd_getfd(p->process, number, 0), r;

	if (fd < 0)
		return errno == EBADF ? 0 : -errno; /* closed meanwhile: it will be in the record */
	r = is_strangers(p, fd) ? PRIVATE_PORT_SHARED : 0;
	close(fd);
	return r;
}

static int look_through_descriptors(const struct private_port *p)
{
	DIR *dir = open_descriptors(p->pid);
	struct dirent *e;
	int r = 0;

	if (!dir)
		return -errno;
	while (r == 0 && (e = readdir(dir)))
		if (socket_inode(dirfd(dir), e->d_name))
			r = look_at(p, atoi(e->d_name));
	closedir(dir);
	return r;
}

int private_port_close(struct private_port *p)
{
	int r = shutdown(p->listener, SHUT_RDWR) < 0 ? -errno : look_through_descriptors(p);

	ended_sockets_mark(p->ended);
	return r;
}

int private_port_bar(struct private_port *p)
{
	int r = p->unfiltered < 0 ? p->unfiltered : look_through_descriptors(p);

	ended_sockets_mark(p->ended);
	return r;
}

struct search {
	const struct private_port *port;
	bool found;
};

/* Left over from an earlier server that had the same port by chance. */
static bool is_older(const struct private_port *p, const struct tcp_socket *s)
{
	return s->age > clock_now() - p->began + AGE_TOLERANCE;
}

/* A socket that is still trying to connect (TCP_SYN_SENT) has not reached the server. */
static void note_stranger(const struct tcp_socket *s, void *data)
{
	const uint32_t loopback = htonl(INADDR_LOOPBACK);
	struct search *search = data;
	const struct private_port *p = search->port;
	bool accepted = s->local == loopback && s->local_port == p->port;
	bool connected = s->remote == loopback && s->remote_port == p->port;
	bool own = accepted ? s->remote == loopback && s->remote_port == p->own_port :
			      s->local == loopback && s->local_port == p->own_port;

	if ((accepted || connected) && !own && s->state != TCP_LISTEN && s->state != TCP_SYN_SENT && !is_older(p, s))
		search->found = true;
}

/* The record comes last: what left the tables before is in it. */
int private_port_check(struct private_port *p)
{
	struct search search = { .port = p };
	int r = ended_sockets_have(p->ended, p->port);

	if (r == -EAGAIN) /* the tables take longer to read than this to be asked again */
		return r;
	r = tcp_sockets_with_port(p->port, note_stranger, &search);
	if (r == 0)
		r = ended_sockets_have(p->ended, p->port);
	return search.found || r > 0 || r == -ENOBUFS ? PRIVATE_PORT_SHARED : r;
}

/* The child of the trial below, which has been killed and may not have ended yet; 0: none. */
static pid_t trial;

/* Waiting for the end of the child would hold the loop until the child gets a processor. */
static void reap_trial(void)
{
	if (trial && waitpid(trial, NULL, WNOHANG) != 0)
		trial = 0;
}

struct private_port *private_port_free(struct private_port *p)
{
	if (!p)
		return NULL;
	reap_trial();
	watch_free(p->watch);
	file_close(&p->fd);
	file_close(&p->listener);
	file_close(&p->process);
	ended_sockets_free(p->ended);
	free(p);
	return NULL;
}

/* ---- whether it is possible ---- */

/* The kernel sends the signal only for a parent that ends after the call of prctl(), so the child then looks at its parent. */
static _noreturn_ void wait_to_be_killed(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		pause();
	_exit(0);
}

/* Takes a descriptor of a child process. */
static int try_taking(void)
{
	int process, fd, r = 0;
	pid_t self = getpid(), pid = fork();

	if (pid == 0)
		wait_to_be_killed(self);
	if (pid < 0)
		return -errno;
	trial = pid;
	process = pidfd_open(pid, 0);
	fd = process < 0 ? -1 : pidfd_getfd(process, STDERR_FILENO, 0);
	if (fd < 0 && errno != EBADF) /* it may have no stderr */
		r = -errno;
	file_close(&fd);
	file_close(&process);
	kill(pid, SIGKILL);
	return r;
}

static void ignore_socket(const struct tcp_socket *s, void *data)
{
}

static int try_record(struct loop *l)
{
	_cleanup_(private_port_freep) struct private_port *p = NULL;

	return private_port_new(l, &p);
}

static void try_steps(struct loop *l, char *ret, size_t size)
{
	const char *step = "sockets of child processes cannot be taken (pidfd_getfd)";
	int r = try_taking();

	if (r == 0) {
		step = "the kernel does not list connections (sock_diag)";
		r = tcp_sockets_with_port(1, ignore_socket, NULL);
	}
	if (r == 0) {
		step = "the kernel does not report the end of connections (sock_diag)";
		r = try_record(l);
	}
	if (r == 0) {
		step = "a socket cannot be ended on every processor of the machine";
		r = ended_sockets_provable();
	}
	if (r < 0)
		snprintf(ret, size, "%s: %s", step, strerror(-r));
}

static int try_filter(void)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), r = fd < 0 ? -errno : attach_filter(fd, 1);

	file_close(&fd);
	return r;
}

const char *private_port_obstacle(struct loop *l)
{
	static char reason[160];
	static bool tried;

	if (!tried)
		try_steps(l, reason, sizeof(reason));
	tried = true;
	return *reason ? reason : NULL;
}

const char *private_port_bar_obstacle(struct loop *l)
{
	static char reason[120];
	const char *obstacle = private_port_obstacle(l);
	int r = obstacle ? 0 : try_filter();

	if (r < 0)
		snprintf(reason, sizeof(reason), "packets to a socket cannot be filtered (SO_ATTACH_FILTER): %s", strerror(-r));
	return r < 0 ? reason : obstacle;
}
