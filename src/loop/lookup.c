/*
 * getaddrinfo_a() of the C library resolves in a thread and reports completion in another one, which only closes a pipe's end.
 * A look-up cannot always be cancelled, so its memory can outlive the caller's interest in it.
 */
#include "loop/lookup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

struct lookup {
	struct gaicb request;
	struct addrinfo hints;
	char host[256], service[8];
	int ends[2]; /* the pipe; the notification thread closes ends[1] */
	struct watch *watch;
	void (*done)(const struct addrinfo *addresses, const char *failure, void *data);
	void *data;
};

/* Runs in a thread of the C library. */
static void lookup_on_end(union sigval value)
{
	close(value.sival_int);
}

static void lookup_release(struct lookup *u)
{
	watch_free(u->watch);
	close(u->ends[0]);
	if (u->request.ar_result)
		freeaddrinfo(u->request.ar_result);
	free(u);
}

static void on_readable(uint32_t events, void *data)
{
	struct lookup *u = data;
	int error = gai_error(&u->request);

	if (error == EAI_INPROGRESS) /* the notification can arrive slightly before the request counts as complete */
		return;
	u->watch = watch_free(u->watch);
	if (u->done)
		u->done(error == 0 ? u->request.ar_result : NULL, error == 0 ? NULL : gai_strerror(error), u->data);
	lookup_release(u);
}

static int lookup_begin(struct loop *l, struct lookup *u)
{
	struct gaicb *list[] = { &u->request };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = lookup_on_end };

	event.sigev_value.sival_int = u->ends[1];
	if (watch_new(l, u->ends[0], EPOLLIN, on_readable, u, &u->watch) < 0)
		return -ENOMEM;
	return getaddrinfo_a(GAI_NOWAIT, list, 1, &event) == 0 ? 0 : -EAGAIN;
}

struct lookup *lookup_new(struct loop *l, const char *host, int port,
			  void (*done)(const struct addrinfo *addresses, const char *failure, void *data), void *data)
{
	struct lookup *u = NEW(struct lookup);

	u->done = done;
	u->data = data;
	u->hints = (struct addrinfo){ .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	snprintf(u->host, sizeof(u->host), "%s", host);
	snprintf(u->service, sizeof(u->service), "%d", port);
	u->request = (struct gaicb){ .ar_name = u->host, .ar_service = u->service, .ar_request = &u->hints };
	if (pipe2(u->ends, O_CLOEXEC) < 0) {
		free(u);
		return NULL;
	}
	if (lookup_begin(l, u) < 0) {
		close(u->ends[1]);
		lookup_release(u);
		return NULL;
	}
	return u;
}

/* The thread may still use the memory; in that case it is freed when the look-up has ended. */
struct lookup *lookup_free(struct lookup *u)
{
	if (u)
		u->done = NULL;
	return NULL;
}
