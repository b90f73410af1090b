/*
 * Records a page's console and network events in its journal. These are rows of page_event_table, which serves the
 * page's own CDP session and those of its frames in other processes and of its workers. Nothing suspends.
 */
#pragma once

#include "base/json.h"
#include "cdp/cdp.h"

struct page;

/* Enables these events for a page, a frame or a worker; pages and frames need Log.enable, too. */
void page_observe_enable(struct cdp_session *s);

void page_observe_console(struct cdp_session *s, const struct json *params, void *page);
void page_observe_exception(struct cdp_session *s, const struct json *params, void *page);
void page_observe_log(struct cdp_session *s, const struct json *params, void *page);
void page_observe_request(struct cdp_session *s, const struct json *params, void *page);
void page_observe_response(struct cdp_session *s, const struct json *params, void *page);
void page_observe_finished(struct cdp_session *s, const struct json *params, void *page);
void page_observe_failed(struct cdp_session *s, const struct json *params, void *page);
void page_observe_cached(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_created(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_opened(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_sent(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_received(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_error(struct cdp_session *s, const struct json *params, void *page);
void page_observe_websocket_closed(struct cdp_session *s, const struct json *params, void *page);
