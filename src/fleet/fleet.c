#include <stdio.h>
#include <stdlib.h>

#include "fleet/internal.h"

/* ---- MCP sessions ---- */

static int find_client(struct task *t, const char *id, struct json **ret, void *data)
{
	return record_read(t, data, KIND_CLIENT, id, NULL, ret);
}

static int claim_client(struct task *t, const char *id, struct json **ret, void *data)
{
	_cleanup_(json_freep) struct json *record = NULL;
	int r;

	r = record_await(t, data, KIND_CLIENT, id, NULL, &record);
	if (r == 1)
		r = record_claim(t, data, KIND_CLIENT, id, json_text(record, "owner"));
	if (r == 1) {
		visitors_expect(data);
		*ret = TAKE_PTR(record);
	}
	return r;
}

static void resumed(struct mcp_conn *c, const struct json *saved, void *data)
{
	const char *own = json_str(saved, "own");
	struct fleet *f = data;

	if (own && record_may_exist(own))
		snprintf(client_of(f->app, c)->session, SESSION_ID_SIZE, "%s", own);
}

/* ---- browser sessions ---- */

/* What is of another owner is not there. */
static int load_session(struct task *t, uint64_t owner, const char *id, struct json **ret, void *data)
{
	_cleanup_(json_freep) struct json *record = NULL;
	_cleanup_(str_done) struct str key = {};
	struct fleet *f = data;
	int r;

	if (!mcp_http_owner_key(f->http, owner, &key))
		return 0;
	r = record_await(t, f, KIND_SESSION, id, key.data, &record);
	if (r == 1)
		*ret = json_extract(TAKE_PTR(record), "session");
	return r == 1 ? *ret != NULL : r;
}

static int claim_session(struct task *t, uint64_t owner, const char *id, void *data)
{
	_cleanup_(str_done) struct str key = {};
	struct fleet *f = data;
	int r = mcp_http_owner_key(f->http, owner, &key) ? record_claim(t, f, KIND_SESSION, id, key.data) : 0;

	if (r == 1)
		visitors_expect(f);
	return r;
}

static int discard_session(struct task *t, uint64_t owner, const char *id, void *data)
{
	_cleanup_(json_freep) struct json *session = NULL;
	_cleanup_(str_done) struct str key = {};
	struct fleet *f = data;
	int r;

	r = load_session(t, owner, id, &session, f);
	if (r == 1 && mcp_http_owner_key(f->http, owner, &key))
		record_forget(t, f, KIND_SESSION, id, key.data);
	return r;
}

/* ---- the fleet ---- */

struct fleet *fleet_new(struct loop *l, struct app *app, const char *node, unsigned ttl)
{
	struct fleet *f = NEW(struct fleet);

	*f = (struct fleet){ .loop = l, .app = app, .node = node, .ttl = ttl };
	f->clients = (struct mcp_session_archive){ find_client, claim_client, resumed, f };
	f->sessions = (struct session_archive){ load_session, claim_session, discard_session, f };
	waitq_init(&f->changed);
	LIST_INIT(&f->movers);
	LIST_INIT(&f->moves);
	return f;
}

void fleet_set_http(struct fleet *f, struct mcp_http *h)
{
	f->http = h;
	registry_set_archive(f->app->registry, &f->sessions);
}

const struct mcp_session_archive *fleet_archive(const struct fleet *f)
{
	return &f->clients;
}

void fleet_save_all(struct fleet *f, void (*done)(void *data), void *data)
{
	f->saved = done;
	f->saved_data = data;
	f->ending = true;
	visitors_stop(f);
	hand_over_begin_all(f);
}

void fleet_stop(struct fleet *f)
{
	f->ending = true;
	visitors_stop(f);
	hand_over_stop(f);
}

struct fleet *fleet_free(struct fleet *f)
{
	free(f);
	return NULL;
}
