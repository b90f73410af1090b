/* Names and addresses of hosts, as text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether `host` (an address of IPv6 without its brackets) can only be this machine, whatever name service says. */
bool host_is_loopback(const char *host, size_t len);
