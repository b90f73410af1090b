/*
 * Determines the owner of a request. With tokens it is the token's subject, and browser sessions of a subject outlive
 * the connections that made them, so that it can come back for them. Without tokens each client is an owner of its
 * own, and its browser sessions end with it, unless the operator has made them one owner.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/http_parts.h"

#define SHARED_TOKEN "the shared token"

/* Numbers are never reused: a subject that was dropped from the list gets a new one. */
struct http_subject {
	TAILQ_ENTRY(http_subject) link;
	uint64_t number;
	char name[];
};

static int http_owner_compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void http_owner_forget(struct mcp_http *h, struct http_subject *s)
{
	tdelete(s->name, &h->subjects_by_name, http_owner_compare_names);
	TAILQ_REMOVE(&h->subjects, s, link);
	h->subject_count--;
	free(s);
}

static struct http_subject *http_owner_add(struct mcp_http *h, const char *name)
{
	struct http_subject *s = must(malloc(sizeof(*s) + strlen(name) + 1));

	if (h->subject_count >= LIMIT_HTTP_SUBJECTS_COUNT)
		http_owner_forget(h, TAILQ_LAST(&h->subjects, http_subjects));
	s->number = ++h->last_owner;
	strcpy(s->name, name);
	TAILQ_INSERT_HEAD(&h->subjects, s, link);
	must(tsearch(s->name, &h->subjects_by_name, http_owner_compare_names));
	h->subject_count++;
	return s;
}

/* The list is in the order of last use, most recent first. */
static uint64_t http_owner_number_of(struct mcp_http *h, const char *name)
{
	char *const *found = tfind(name, &h->subjects_by_name, http_owner_compare_names);
	struct http_subject *s = found ? CONTAINER_OF(*found, struct http_subject, name) : NULL;

	if (!s)
		return http_owner_add(h, name)->number;
	TAILQ_REMOVE(&h->subjects, s, link);
	TAILQ_INSERT_HEAD(&h->subjects, s, link);
	return s->number;
}

const char *http_subject_of_request(const struct mcp_http *h, const struct http_exchange *x)
{
	if (http_user(x))
		return http_user(x);
	return h->options->token ? SHARED_TOKEN : h->options->one_owner ? "all clients" : NULL;
}

const struct http_subject *http_subject_of(const struct mcp_http *h, uint64_t number)
{
	const struct http_subject *s;

	TAILQ_FOREACH(s, &h->subjects, link)
		if (s->number == number)
			return s;
	return NULL;
}

const char *http_subject_name(const struct http_subject *s)
{
	return s->name;
}

struct mcp_owner http_owner_alone(struct mcp_http *h)
{
	return (struct mcp_owner){ ++h->last_owner, false, NULL };
}

struct mcp_owner http_owner_of_subject(struct mcp_http *h, const char *name)
{
	return (struct mcp_owner){ http_owner_number_of(h, name), true,
				   h->options->issuer && strcmp(name, SHARED_TOKEN) != 0 ? name : NULL };
}

struct mcp_owner http_owner_of_session(struct mcp_http *h, const struct http_exchange *x)
{
	const char *subject = http_subject_of_request(h, x);

	return subject ? (struct mcp_owner){ http_owner_number_of(h, subject), true, http_user(x) } : http_owner_alone(h);
}

struct mcp_owner http_owner_of_request(struct mcp_http *h, const struct http_exchange *x)
{
	const char *subject = http_subject_of_request(h, x);

	return (struct mcp_owner){ subject ? http_owner_number_of(h, subject) : 0, true, http_user(x) };
}

bool http_owns(struct mcp_http *h, const struct http_exchange *x, const struct http_session *s)
{
	const char *subject = http_subject_of_request(h, x);

	return !subject || http_owner_number_of(h, subject) == mcp_conn_owner(s->conn);
}

void http_forget_owners(struct mcp_http *h)
{
	while (!TAILQ_EMPTY(&h->subjects))
		http_owner_forget(h, TAILQ_FIRST(&h->subjects));
}

/* ---- what owners have ---- */

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

struct http_owner *http_find_owner(struct mcp_http *h, uint64_t number)
{
	uint64_t *const *found = tfind(&number, &h->owners, compare_numbers);

	return found ? CONTAINER_OF(*found, struct http_owner, number) : NULL;
}

struct http_owner *http_owner_enter(struct mcp_http *h, uint64_t number)
{
	struct http_owner *o = http_find_owner(h, number);

	if (!o) {
		o = NEW(struct http_owner);
		o->number = number;
		must(tsearch(&o->number, &h->owners, compare_numbers));
	}
	o->sessions++;
	return o;
}

void http_owner_leave(struct mcp_http *h, struct http_owner *o)
{
	if (--o->sessions > 0)
		return;
	tdelete(&o->number, &h->owners, compare_numbers);
	free(o);
}
