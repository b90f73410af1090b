/* Contents of the files that tools have written, as MCP resources have them. */
#pragma once

#include "reply/artifacts.h"

/*
 * Appends the contents of a resource as JSON. -ENOENT: the owner has no such artifact. If the file no longer exists or is
 * too large, the task gets an error message.
 */
int artifact_read(struct task *t, struct artifacts *a, uint64_t owner, const char *uri, struct str *out);
