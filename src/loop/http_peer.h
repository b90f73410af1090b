/* Who is at the other end of a connection to the HTTP server. */
#pragma once

#include <stdbool.h>

#include "loop/http.h"

/*
 * Whether a process of this machine is, that runs as the user of this process or as root. False if the kernel does not tell. Costs two
 * listings of the kernel's sockets, so it is for requests that begin something.
 */
bool http_peer_is_own_user(const struct http_exchange *x);
