/* Shared by observation.c and port.c only. */
#pragma once

#include "session/observation.h"

struct port {
	LIST_ENTRY(port) link;
	unsigned refs;
	_kept_ struct observed_browser *browser;
};

struct observers {
	struct loop *loop;
	struct registry *registry;
	const struct observers_options *options;
	LIST_HEAD(, port) ports;
	TAILQ_HEAD(, observation) observations;
	unsigned count;
	void (*news)(struct observation *ob, void *data); /* may be NULL */
	void *news_data;
};

struct port *port_ref(struct port *p);
