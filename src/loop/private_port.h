/*
 * The port of a server that a child process runs for this process alone, such as the debugging port of a browser: connects to it,
 * closes it for everyone else, and finds out whether another process was faster.
 *
 * From the moment that a process listens on a port, every user and every page of the machine can connect to it. So
 *
 * 1. private_port_new(), before the child is started, begins to record the ports of sockets that end;
 * 2. private_port_connect() takes the child's listening socket (pidfd_getfd(2)), attaches a filter to it, where that is permitted, that
 *    drops what does not come from the socket that connects, and connects;
 * 3. private_port_close(), when the server has answered and so has accepted the connection, shuts the listening socket down, with what
 *    it has not accepted, and looks through the sockets of the child;
 * 4. private_port_check(), after another answer, looks for any other connection to the port in the kernel's tables and in the record.
 *
 * A server that ends all its connections when its listening socket is shut down keeps it: private_port_bar(), in place of 3, right after the
 * connection, leaves the filter on it, which has to be permitted then.
 *
 * If a step fails, the server must be ended before it is given anything to protect. Processes of the same user are no strangers: they
 * could read the memory of the child.
 */
#pragma once

#include <stdint.h>

#include "base/macros.h"
#include "loop/loop.h"
#include "loop/process.h"

struct private_port;

/* Another process has, or may have, connected to the port. All other codes: the kernel does not permit, or does not know, a step. */
#define PRIVATE_PORT_SHARED (-EBUSY)

/*
 * Why a port cannot be made private here, a half sentence; NULL: every step is possible. Tries them with a child process that ends at
 * once, and remembers the result for the life of this process.
 */
const char *private_port_obstacle(struct loop *l);
/* The same with private_port_bar() in place of private_port_close(). */
const char *private_port_bar_obstacle(struct loop *l);

/* Negative errno: ends of sockets cannot be recorded. */
int private_port_new(struct loop *l, struct private_port **ret);
/*
 * Connects to the port on which `owner` or a process below it listens, at 127.0.0.1. `done` is called once, from the loop, with a
 * connected non-blocking socket, which belongs to the receiver, or a negative errno. -ENOENT: none of them listens there. After a
 * negative result of this function `done` is not called.
 */
int private_port_connect(struct private_port *p, const struct process *owner, uint16_t port, void (*done)(int fd, void *data),
			 void *data);
int private_port_close(struct private_port *p);
/* For as long as the server listens, no packet that is not of the connection reaches it. */
int private_port_bar(struct private_port *p);
/* -EAGAIN: the kernel has not yet reported all connections that have ended; to be called again, a millisecond later. */
int private_port_check(struct private_port *p);
/* May be called any time, also inside of `done`, which is not called any more. The socket that `done` got stays open. */
struct private_port *private_port_free(struct private_port *p);
DEFINE_FREEP(private_port);
