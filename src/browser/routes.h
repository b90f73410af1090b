/*
 * Routes of a browser context (page/intercept.h), and the rules of its client: routes whose answer is known beforehand. All end
 * with the context.
 */
#pragma once

#include "browser/context.h"
#include "page/intercept.h"

/* page_group_add_route() and its siblings for all pages of a context. */
int context_add_route(struct task *t, struct context *c, struct route *r);
void context_remove_route(struct context *c, struct route *r);
int context_set_offline(struct task *t, struct context *c, bool offline);

/* What happens to requests that match: they are fulfilled, or go on to other routes and the server with changed header fields. */
struct request_rule {
	const char *pattern;
	bool fulfills;
	int status;                /* 0: 200 */
	const char *content_type;  /* NULL: none */
	const char *body;          /* NULL: none */
	const char *set, *removed; /* JSON object of header fields to add or replace; JSON list of names to remove; NULL: none */
	bool sets_in_response;     /* a fulfilled request gets the fields of `set`, too */
	const char *shown;         /* the client's description of the rule */
};

/*
 * Adds a copy of the rule. Suspends. -ERR_INVALID_PARAMETERS: the pattern cannot be used, or there are too many rules, as the
 * task's failure says.
 */
int context_add_rule(struct task *t, struct context *c, const struct request_rule *rule);
/* Gives a context that has no rules copies of those of another one. Suspends. */
int context_share_rules(struct task *t, _kept_ struct context *from, _kept_ struct context *to);
/* In the order in which they were added. Borrowed; NULL: the first, and after the last one. */
const struct request_rule *context_next_rule(struct context *c, const struct request_rule *after);
/* Removes those with this pattern, or all if it is NULL. Returns their number. */
unsigned context_remove_rules(struct context *c, const char *pattern);
