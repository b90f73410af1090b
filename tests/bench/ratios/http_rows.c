/* Clients over HTTP: their sessions, and the events that are kept for them. */
#include "base/limits.h"
#include "loop/http_exchange.h"
#include "mcp/http_parts.h"
#include "ratios/ratios.h"

#define EVENTS 300 /* of a session */
#define EVENT 1000 /* bytes */

static struct mcp_server server = {
	.name = "ratios", .title = "Ratios", .version = "1", .tools = (const struct tool *const[]){ NULL }
};

/* Runs `use` with as many sessions as the input has bytes, all of one owner. */
static void with_sessions(const struct str *in, void (*use)(struct mcp_http *h, struct http_exchange *x))
{
	static const struct mcp_http_options options = { .sessions = UINT32_MAX, .one_owner = true };
	struct http_exchange x = { .peer = "127.0.0.1" };
	struct mcp_http *h = NEW(struct mcp_http);

	if (!server.loop)
		NEEDED(loop_new(&server.loop) == 0);
	h->server = &server;
	h->options = &options;
	TAILQ_INIT(&h->sessions);
	TAILQ_INIT(&h->posts);
	TAILQ_INIT(&h->subjects);
	for (size_t i = 0; i < in->len; i++)
		NEEDED(session_new(h, &x, false));
	use(h, &x);
	while (!TAILQ_EMPTY(&h->sessions)) {
		session_end(TAILQ_FIRST(&h->sessions), "the row is over");
		loop_step(server.loop);
	}
	http_forget_owners(h);
	free(h);
}

static void find_each(struct mcp_http *h, struct http_exchange *x)
{
	struct http_session *s;

	TAILQ_FOREACH(s, &h->sessions, link)
		NEEDED(session_find(h, x, s->id) == s);
}

static void sessions(const struct str *in)
{
	with_sessions(in, find_each);
}

/* More than is kept of one owner. */
static void send_events(struct mcp_http *h, struct http_exchange *x)
{
	static const char text[EVENT];
	struct http_session *s;

	TAILQ_FOREACH(s, &h->sessions, link)
		s->stream.open = true; /* its reader comes back later */
	for (unsigned i = 0; i < EVENTS; i++)
		TAILQ_FOREACH(s, &h->sessions, link)
			stream_send(&s->stream, text, sizeof(text));
	NEEDED(h->event_bytes <= LIMIT_HTTP_REPLAY_OWNER && h->event_bytes > LIMIT_HTTP_REPLAY_OWNER / 4);
}

static void events(const struct str *in)
{
	with_sessions(in, send_events);
}

/* As many users as the input has bytes, who send requests in turns. */
static void users(const struct str *in)
{
	static const struct mcp_http_options options;
	struct http_server http = { .exchanges = TAILQ_HEAD_INITIALIZER(http.exchanges) };
	struct mcp_http h = { .server = &server, .options = &options, .subjects = TAILQ_HEAD_INITIALIZER(h.subjects) };
	struct http_exchange x = { .server = &http };

	for (size_t i = 0; i < 4 * in->len; i++) {
		char user[64];

		snprintf(user, sizeof(user), "https://issuer.example\n%zu", i % in->len);
		exchange_set_user(&x, user);
		NEEDED(http_owner_of_request(&h, &x).number == i % in->len + 1);
	}
	exchange_set_user(&x, NULL);
	http_forget_owners(&h);
}

const struct ratio_row ratio_http_rows[] = {
	{ "session_find: sessions", 1000, sessions, .unit = "x" },
	{ "stream_send: events of sessions without a reader", 250, events, .unit = "x" },
	{ "http_owner_of_request: users", LIMIT_HTTP_SUBJECTS_COUNT / 4, users, .unit = "x" },
	{},
};
