/* Host names and addresses as text. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether `host` (an IPv6 address without brackets) always means this machine, whatever the name service answers. */
bool host_is_loopback(const char *host, size_t len);
