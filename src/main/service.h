/*
 * The service manager (systemd), if it started this process: listening sockets that it passes on, as sd_listen_fds(3) describes,
 * and the state that it is notified of, as sd_notify(3) describes.
 *
 * libsystemd is not used: it would bring six further libraries into the process for what is two environment variables and one
 * datagram, both of a documented and stable format.
 */
#pragma once

#include "main/options.h"

/*
 * Reads LISTEN_PID and LISTEN_FDS of `env`. If sockets were passed to this process, `o->http` serves on them instead of on a host and
 * port of the options; host and port are then those of the sockets, so that what depends on whether other machines can connect is
 * decided by the real address. 0, or -EINVAL with the reason in `error`.
 */
int service_take_sockets(struct options *o, char *const env[], struct str *error);
/*
 * Connects to NOTIFY_SOCKET, if it is set, and removes the variables of both protocols from the environment, so that child processes
 * cannot act in the name of this one.
 */
void service_connect(void);
/* Sends the lines of `state`, such as "READY=1\nSTATUS=..."; no effect without a service manager that waits for them. */
void service_notify(const char *state);
