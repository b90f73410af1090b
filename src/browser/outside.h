/*
 * A Chromium started by another program, with a debugging port. Its targets are observed only; the browser is neither
 * changed nor ended.
 *
 * An HTTP request to the port returns the address of the browser's WebSocket (/json/version); one connection carries
 * everything else. When the browser ends, its pages become dead objects that keep their journals.
 */
#pragma once

#include <stdbool.h>

#include "base/json.h"
#include "base/macros.h"
#include "loop/task.h"
#include "page/page.h"

#define OUTSIDE_HOST_SIZE 48 /* a numeric address */

struct outside;

/* `host` is a numeric address. Does nothing yet. */
struct outside *outside_new(struct loop *l, const char *host, int port);
/* The connection ends; pages that were attached to are dead. */
struct outside *outside_free(struct outside *o);
DEFINE_FREEP(outside);
const char *outside_host(const struct outside *o);
int outside_port(const struct outside *o);

/*
 * Numeric form of `host` ("localhost", "127.1", "[::1]") for outside_new(). -EINVAL: it is neither an address nor
 * localhost, which is all that a debugging port answers to. -EACCES: it is a wildcard, or not loopback while
 * `local_only`.
 */
int outside_resolve(const char *host, bool local_only, char ret[OUTSIDE_HOST_SIZE]);

/* Suspends: the reply of Target.getTargets, owned by the caller. -ERR_BROWSER_UNREACHABLE. */
int outside_targets(struct task *t, struct outside *o, struct json **ret);

struct attachment {
	const char *target_id;
	bool workers, frames;           /* listen to its workers, its frames of other processes, too */
	_kept_ struct journal *journal; /* by the caller: that goes on, of an earlier attachment; NULL: a new one */
};

/* Suspends: listens to a target. `ret` gets a reference. -ERR_TARGET_NOT_FOUND, -ERR_BROWSER_UNREACHABLE. */
int outside_attach(struct task *t, struct outside *o, const struct attachment *a, struct page **ret);
/* Listens no longer: the page is dead from here on. */
void outside_detach(struct outside *o, struct page *p);
