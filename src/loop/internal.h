/* Shared by the files of this folder only. */
#pragma once

#include <libwebsockets.h>

#include "loop/loop.h"

#define WS_PROTOCOL "cdp"
#define HTTPGET_PROTOCOL "httpget"
#define HTTP_PROTOCOL "http"
#define WS_READ_SIZE (64u << 10) /* bytes taken from a socket at a time */

struct lws_context *loop_lws(struct loop *l);
struct lws_vhost *loop_vhost(struct loop *l);
int http_callback(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in, size_t len);
int ws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len);
int httpget_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len);
