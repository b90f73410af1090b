/* Nodes of a document, by the browser's own ids: for questions that no page script can answer about them. */
#pragma once

#include <stdbool.h>

#include "page/page.h"

/*
 * The nodes in the list that `expression`, a constant, gives in the isolated world of `f`, as a deep serialization of WebDriver BiDi:
 * nodes_list(ret) has {value: {backendNodeId, ...}} for each; one that is listed twice has no id the second time. `shadow`: with
 * the shadow roots of the elements, closed ones included. Suspends.
 */
int nodes_serialize(struct task *t, struct frame *f, const char *expression, bool shadow, struct json **ret);
const struct json *nodes_list(const struct json *reply);
/* engine_await() for a question about one node: that the browser does not know the node any more is no failure. */
int nodes_await(struct task *t, struct engine_call *call);
