#include "browser/routes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/error.h"
#include "base/glob.h"
#include "base/limits.h"
#include "browser/internal.h"

struct rule_route {
	struct route route;
	struct request_rule rule;   /* its strings are owned */
	struct header_list changes; /* of the request: fields to add or replace, or without a value to remove */
	struct header_list headers; /* of the response */
	struct str body;            /* the same; base64 */
};

int context_add_route(struct task *t, struct context *c, struct route *r)
{
	return page_group_add_route(t, context_pages(c), r);
}

void context_remove_route(struct context *c, struct route *r)
{
	page_group_remove_route(context_pages(c), r);
}

int context_set_offline(struct task *t, struct context *c, bool offline)
{
	return page_group_set_offline(t, context_pages(c), offline);
}

/* ---- rules ---- */

static void routes_on_request(struct route *r, struct paused_request *q)
{
	const struct rule_route *rr = CONTAINER_OF(r, struct rule_route, route);

	if (rr->rule.fulfills)
		paused_request_fulfill(q, &(const struct fulfilment){ .status = rr->rule.status ? rr->rule.status : 200,
								      .headers = &rr->headers,
								      .body = rr->body.data });
	else
		paused_request_fall_back(q, &(const struct request_changes){ .fields = &rr->changes });
}

static void free_rule(struct route *r)
{
	struct rule_route *rr = CONTAINER_OF(r, struct rule_route, route);

	glob_free(r->pattern);
	free((char *)rr->rule.pattern);
	free((char *)rr->rule.shown);
	header_list_done(&rr->changes);
	header_list_done(&rr->headers);
	str_done(&rr->body);
	free(rr);
}

static struct json *routes_parse(const char *text)
{
	struct json *value = NULL;

	if (text)
		json_parse(text, strlen(text), LIMIT_JSON_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &value);
	return value;
}

/* Those that the rule gives in other ways come first; of two with the same name the browser would show both to the page. */
static bool is_given(const struct request_rule *rule, const char *name)
{
	return strcasecmp(name, "Content-Length") == 0 || (rule->content_type && strcasecmp(name, "Content-Type") == 0);
}

static void prepare_response(struct rule_route *rr, const struct request_rule *rule, const struct json *set)
{
	size_t len = rule->body ? strlen(rule->body) : 0;
	char length[24];

	if (rule->content_type)
		header_list_add(&rr->headers, "Content-Type", rule->content_type);
	if (len) {
		snprintf(length, sizeof(length), "%zu", len);
		header_list_add(&rr->headers, "Content-Length", length);
		base64_encode(&rr->body, (const uint8_t *)rule->body, len);
	}
	json_foreach(field, rule->sets_in_response ? set : NULL)
		if (!is_given(rule, json_name(field)))
			header_list_add(&rr->headers, json_name(field), json_text(field, NULL));
}

/* Routes of agents' code stand in the same list. */
static struct rule_route *as_rule(struct route *r)
{
	return r->handle == routes_on_request ? CONTAINER_OF(r, struct rule_route, route) : NULL;
}

static struct rule_route *next_rule(struct context *c, struct route *after)
{
	struct route *r =
		after ? TAILQ_PREV(after, route_list, link) : TAILQ_LAST(&context_pages(c)->interception.routes, route_list);

	while (r && !as_rule(r))
		r = TAILQ_PREV(r, route_list, link);
	return r ? as_rule(r) : NULL;
}

static unsigned count_rules(struct context *c)
{
	struct rule_route *rr = NULL;
	unsigned count = 0;

	while ((rr = next_rule(c, rr ? &rr->route : NULL)))
		count++;
	return count;
}

/* Without its headers and body. Takes the pattern over. */
static struct rule_route *new_rule(const struct request_rule *rule, struct glob *pattern)
{
	struct rule_route *rr = NEW(struct rule_route);

	rr->route.pattern = pattern;
	rr->route.handle = routes_on_request;
	rr->route.removed = free_rule;
	rr->rule = (struct request_rule){ .pattern = must(strdup(rule->pattern)),
					  .shown = must(strdup(rule->shown)),
					  .fulfills = rule->fulfills,
					  .status = rule->status };
	return rr;
}

int context_add_rule(struct task *t, struct context *c, const struct request_rule *rule)
{
	_cleanup_(json_freep) struct json *set = routes_parse(rule->set), *removed = routes_parse(rule->removed);
	const char *reason = NULL;
	struct glob *pattern;
	struct rule_route *rr;

	if (count_rules(c) >= LIMIT_ROUTES_COUNT)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "there are %u routes already; remove some of them",
				 LIMIT_ROUTES_COUNT);
	pattern = glob_new(rule->pattern, &reason);
	if (!pattern)
		return task_fail(t, -ERR_INVALID_PARAMETERS, "Invalid glob pattern \"%s\": %s", rule->pattern, reason);
	rr = new_rule(rule, pattern);
	header_list_add_members(&rr->changes, set);
	json_foreach(name, removed)
		header_list_add(&rr->changes, json_text(name, NULL), NULL);
	prepare_response(rr, rule, set);
	return context_add_route(t, c, &rr->route);
}

static struct rule_route *copy_rule(const struct rule_route *rr)
{
	const char *reason;
	struct rule_route *copy = new_rule(&rr->rule, must(glob_new(rr->rule.pattern, &reason)));

	header_list_add_all(&copy->changes, &rr->changes);
	header_list_add_all(&copy->headers, &rr->headers);
	if (rr->body.len)
		str_append(&copy->body, rr->body.data);
	return copy;
}

int context_share_rules(struct task *t, struct context *from, struct context *to)
{
	struct rule_route *rr = NULL;
	int r = 0;

	if (next_rule(to, NULL))
		return 0;
	while (r == 0 && (rr = next_rule(from, rr ? &rr->route : NULL)))
		r = context_add_route(t, to, &copy_rule(rr)->route);
	return r;
}

const struct request_rule *context_next_rule(struct context *c, const struct request_rule *after)
{
	struct rule_route *rr = after ? CONTAINER_OF(after, struct rule_route, rule) : NULL;

	rr = next_rule(c, rr ? &rr->route : NULL);
	return rr ? &rr->rule : NULL;
}

unsigned context_remove_rules(struct context *c, const char *pattern)
{
	struct rule_route *rr = next_rule(c, NULL), *next;
	unsigned count = 0;

	for (; rr; rr = next) {
		next = next_rule(c, &rr->route);
		if (pattern && strcmp(rr->rule.pattern, pattern) != 0)
			continue;
		context_remove_route(c, &rr->route);
		count++;
	}
	return count;
}
