/* Origins for which credentials are given out. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/*
 * Appends the origin as location.origin has it: in lower case, without the default port. Only https, or http to a host that always means this
 * machine, and nothing behind the port but one "/". -EINVAL: `*why` says what is wrong.
 */
int login_origin_parse(const char *text, struct str *out, const char **why);
/* Whether the host of such an origin always means this machine. */
bool login_origin_is_local(const char *origin);
