/*
 * The connection to the debugging port of a Firefox that is starting: from its address, which Firefox writes to its profile
 * (WebDriverBiDiServer.json), to a session. The port is made private before Firefox is asked for anything (private_port_bar() of
 * loop/private_port.h: Firefox ends its connections with its listening socket), so that a client that was faster gets no answer: the commands of
 * a client are handled only when the browser has started, some hundred milliseconds later.
 */
#pragma once

#include <stdbool.h>

#include "base/macros.h"
#include "engine/bidi/bidi.h"
#include "loop/loop.h"
#include "loop/process.h"

struct bidi_port;

struct bidi_port_handler {
	/* The WebSocket is being opened. `c` belongs to the receiver, and is freed before the struct bidi_port. */
	void (*connecting)(struct bidi *c, void *data);
	/*
	 * The browser must be ended. `shared`: another process has, or may have, connected; else a step is not possible. `reason` is readable. No
	 * other callback but bidi.closed follows.
	 */
	void (*failed)(bool shared, const char *reason, void *data);
	struct bidi_handler bidi; /* `taken` is not called */
};

/*
 * Before the browser starts. `open`: the port is not made private, because the kernel does not permit it; that another client has the session
 * is then the only sign of one. Negative errno. `handler` must outlive it. There is no timeout: the caller frees it to end it.
 */
int bidi_port_new(struct loop *l, bool open, const struct bidi_port_handler *handler, void *data, struct bidi_port **ret);
/* The file of the address that an earlier browser has left in a profile that stays. */
void bidi_port_forget(const char *profile);
/* The browser has been started with this profile, as a process of `owner`. Negative errno. */
int bidi_port_begin(struct bidi_port *p, const char *profile, const struct process *owner);
/* May be called any time, but inside of callbacks. */
struct bidi_port *bidi_port_free(struct bidi_port *p);
DEFINE_FREEP(bidi_port);
