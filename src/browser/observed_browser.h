/*
 * A browser started by another program, with a debugging port. Its targets are observed only; the browser is neither
 * changed nor ended. When it ends, its pages become dead objects that keep their journals.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"
#include "base/macros.h"
#include "loop/task.h"
#include "page/group.h"
#include "engine/targets.h"

#define DEBUGGING_HOST_SIZE 48 /* a numeric address */

struct observed_browser;

/* `host` is a numeric address. Does nothing yet. */
struct observed_browser *observed_browser_new(struct loop *l, const char *host, int port);
/* The connection ends; pages that were attached to are dead. */
struct observed_browser *observed_browser_free(struct observed_browser *o);
DEFINE_FREEP(observed_browser);
const char *observed_browser_host(const struct observed_browser *o);
int observed_browser_port(const struct observed_browser *o);

/*
 * Numeric form of `host` ("localhost", "127.1", "[::1]") for observed_browser_new(). -EINVAL: it is neither an address nor
 * localhost, which is all that a debugging port answers to. -EACCES: it is a wildcard, or not loopback while
 * `local_only`.
 */
int debugging_host(const char *host, bool local_only, char ret[DEBUGGING_HOST_SIZE]);

/* Suspends: the targets, owned by the caller. -ERR_BROWSER_UNREACHABLE. */
int observed_browser_targets(struct task *t, struct observed_browser *o, struct target_list *ret);

/* Suspends: attaches to a target and enables its events. `ret` gets a reference. -ERR_TARGET_NOT_FOUND, -ERR_BROWSER_UNREACHABLE. */
int observed_browser_attach(struct task *t, struct observed_browser *o, const struct observed_target *target, struct page **ret);
/* Detaches from the target: the page is dead from here on. */
void observed_browser_detach(struct observed_browser *o, struct page *p);
