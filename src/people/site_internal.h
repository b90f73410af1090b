/*
 * Shared by the files of the site: site.c has its table of routes, site_login.c logins, site_links.c links to sessions, and site_views.c the
 * WebSockets of viewers. What answers at further paths is a row of the table, in a file of its own, which asks site_scope() who asks.
 */
#pragma once

#include <sys/queue.h>

#include "base/random.h"
#include "people/links.h"
#include "people/site.h"
#include "people/signins.h"
#include "people/viewer.h"

#define SITE_PATH "/view"

struct view;

struct site {
	struct app *app;
	struct recordings *recordings;
	const char *node;
	struct mcp_http *http;
	struct mcp_site site;
	char token[RANDOM_NAME_SIZE];
	struct signins *logins;
	struct links *links;
	struct viewers *viewers;
	LIST_HEAD(, view) views;
	unsigned count;
};

/* ---- site_login.c ---- */

/* Whether the request is for another node of the fleet, by its parameter or by what `id` (NULL: none) begins with; it was answered then. */
bool site_is_elsewhere(const struct site *s, struct http_exchange *x, const char *id);
/* The login of a request by its cookies; NULL: the request is for another node, or has none, and was answered. Borrowed until it ends. */
struct signin *site_need_login(const struct site *s, struct http_exchange *x);
/* Makes a login for the token of a request; NULL: refused and answered. */
struct signin *site_login_by_token(struct site *s, struct http_exchange *x);
/* What the sender of a request may see, by site_need_login(); NULL: refused and answered. Borrowed as the login. */
const struct scope *site_scope(const struct site *s, struct http_exchange *x);
/* Answers with {act, session?, expiresAt}, and `address` where it is not NULL. */
void site_answer_login(struct http_exchange *x, const struct signin *login, const char *address);
/* A time of clock_now() as Unix milliseconds. */
int64_t site_unix_time(usec_t at);
void site_post_login(struct http_exchange *x, const char *rest, void *site);
void site_post_logout(struct http_exchange *x, const char *rest, void *site);
void site_get_me(struct http_exchange *x, const char *rest, void *site);

/* ---- site_links.c ---- */

void site_get_link(struct http_exchange *x, const char *id, void *site);
void site_post_link(struct http_exchange *x, const char *id, void *site);
/* For struct app. */
int site_view_link(struct task *t, struct site *s, uint64_t owner, const char *id, const struct view_link_wish *wish,
		   struct str *url, int64_t *ret_expires_at);

/* ---- site_views.c ---- */

void site_get_socket(struct http_exchange *x, const char *rest, void *site);
/* Ends the connections of a login that ends. */
void site_login_ended(struct signin *login, void *site);
