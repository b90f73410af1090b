/* The list of a browser's targets: pages, frames in processes of their own, workers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct engine_target;
struct json;
struct task;

/* The texts are never NULL, and belong to the list. */
struct target_info {
	const char *id;
	const char *type; /* "page", "iframe", "worker", "service_worker"... */
	const char *title, *url;
	bool attached; /* a client is attached to it */
};

struct target_list {
	struct target_info *items;
	size_t count;
	struct json **replies; /* which hold the texts */
	size_t reply_count;
};

void target_list_done(struct target_list *l);
/* The target with that id, or NULL. */
const struct target_info *target_list_find(const struct target_list *l, const char *id);

/* Suspends: asks the browser with this root session (NULL: -ESTALE). `ret` is owned by the caller. */
int target_list_fetch(struct task *t, _borrowed_ struct engine_target *root, struct target_list *ret);
/* The targets of several browsers. One of several that does not answer soon is left out. */
int target_list_fetch_all(struct task *t, _borrowed_ struct engine_target *const *roots, size_t count, struct target_list *ret);
