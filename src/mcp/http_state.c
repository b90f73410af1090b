/* What the files of the HTTP transport ask of it and tell it, whatever they do. */
#include "mcp/http_parts.h"

struct http_post *post_find(const struct http_session *s, unsigned stream)
{
	struct http_post *p;

	TAILQ_FOREACH(p, &s->http->posts, link)
		if (p->session == s && p->stream.id == stream)
			return p;
	return NULL;
}

void http_drained(struct mcp_http *h)
{
	if (h->closing && h->session_count == 0 && h->post_count == 0 && h->resuming == 0 && TAILQ_EMPTY(&h->resumptions))
		h->drained(h->drained_data);
}
