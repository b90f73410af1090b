/*
 * A session has one screencast, which its recordings take up as well (Page.startScreenRecording). So each cast has an attachment of its own to the
 * page, on which nothing else is enabled.
 *
 * Chromium sends three frames before the first one is acknowledged, and drops what changes later. Frames are acknowledged at once: who wants
 * fewer of them stops the cast, which costs the browser less than frames that it captures and drops.
 */
#include "engine/cast.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "engine/cdp/cast.h"
#include "engine/cdp/internal.h"
#include "engine/events.h"

struct engine_cast {
	const struct engine_operations *engine;
	const struct engine_cast_events *events; /* NULL: it is freed when `attach` is complete */
	void *data;
	struct cdp *connection; /* that `attach` was sent over */
	char target[ENGINE_ID_SIZE];
	struct engine_call attach;
	struct engine_target *own; /* the attachment; NULL: it is not there yet, or was refused */
	bool runs;
	struct cast_size size;
	long last,
		stopped; /* number of the screencast that sent the last frame, and of the last one that was stopped after a frame */
};

static long number_in(const char *text, size_t len, const char *path)
{
	size_t raw_len;
	const char *raw = json_raw(text, len, path, &raw_len);

	return raw ? strtol(raw, NULL, 10) : 0; /* a comma or brace follows */
}

static void cast_report(struct engine_cast *c, const char *text, size_t len)
{
	_cleanup_(json_freep) struct json *metadata = NULL;
	size_t raw_len = 0;
	struct cast_frame f = { .base64 = cdp_raw_string(text, len, "params.data", &f.len) };
	const char *raw = json_raw(text, len, "params.metadata", &raw_len);

	if (!f.base64 || !raw || json_parse(raw, raw_len, LIMIT_CDP_DEPTH, JSON_REPLACE_UNREPRESENTABLE, &metadata) < 0)
		return;
	f.width = json_num(metadata, "deviceWidth", 0);
	f.height = json_num(metadata, "deviceHeight", 0);
	c->events->frame(&f, c->data);
}

/* A frame of a screencast that was stopped may arrive behind the start of the next one. */
static void cast_on_frame(struct engine_target *s, const char *text, size_t len, void *data)
{
	struct engine_cast *c = data;
	long number = number_in(text, len, "params.sessionId");

	cdp_post(s, "Page.screencastFrameAck", "{sessionId: ?}", (int64_t)number);
	if (!c->runs || number <= c->stopped)
		return;
	c->last = number;
	cast_report(c, text, len);
}

static const struct cdp_event cast_events[] = {
	{ "Page.screencastFrame", .raw = cast_on_frame, .longest = LIMIT_CAST_FRAME },
	{},
};

static void cast_send_start(struct engine_cast *c)
{
	cdp_post(c->own, "Page.startScreencast", "{format: 'jpeg', quality: ?, maxWidth: ?, maxHeight: ?}", LIMIT_CAST_QUALITY,
		 c->size.width, c->size.height);
}

void engine_cast_start(struct engine_cast *c, const struct cast_size *size)
{
	if (c->runs)
		return;
	c->runs = true;
	c->size = *size;
	cast_send_start(c);
}

void engine_cast_stop(struct engine_cast *c)
{
	if (!c->runs)
		return;
	c->runs = false;
	c->stopped = c->last;
	cdp_post(c->own, "Page.stopScreencast", "{}");
}

/* ---- the attachment ---- */

static void cast_on_attached(struct engine_call *call, void *data)
{
	struct engine_cast *c = data;
	const char *id = json_str(cdp_call_result(call), "sessionId");

	if (call->result == 0 && id && c->events)
		c->own = cdp_session_new(c->connection, id, cast_events, c);
	else if (call->result == 0 && id)
		cdp_post(c->connection->root, "Target.detachFromTarget", "{sessionId: ?}", id);
	engine_call_done(call);
	if (!c->events)
		free(c);
	else if (c->runs)
		cast_send_start(c);
}

struct engine_cast *engine_cast_new(struct engine_target *s, const char *id, const struct engine_cast_events *events, void *data)
{
	struct engine_cast *c = NEW(struct engine_cast);

	*c = (struct engine_cast){ .engine = s->engine, .connection = s->connection, .events = events, .data = data };
	engine_id_set(c->target, id);
	if (s->connection && cdp_request(s->connection->root, &c->attach, cast_on_attached, c, "Target.attachToTarget",
					 "{targetId: ?, flatten: true}", id) == 0)
		return c;
	free(c);
	return NULL;
}

struct engine_cast *engine_cast_free(struct engine_cast *c)
{
	if (!c)
		return NULL;
	if (c->attach.target) { /* whose reply names what is to be detached from */
		c->events = NULL;
		c->runs = false;
		return NULL;
	}
	if (c->own && c->own->connection)
		cdp_post(c->own->connection->root, "Target.detachFromTarget", "{sessionId: ?}", c->own->id);
	engine_target_free(c->own);
	free(c);
	return NULL;
}

bool cdp_cast_expects(struct engine_target *root, const char *target)
{
	const struct engine_call *call;

	TAILQ_FOREACH(call, &root->calls, link)
		if (call->replied == cast_on_attached && strcmp(((struct engine_cast *)call->data)->target, target) == 0)
			return true;
	return false;
}
