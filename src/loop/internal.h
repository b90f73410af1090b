/* Shared by the files of this folder only. */
#pragma once

#include <libwebsockets.h>

#include "loop/loop.h"
#include "loop/tls.h"

#define HTTP_PROTOCOL "http"
#define READ_SIZE (64u << 10) /* bytes read from a socket in one call */

/* Loading the system's certificate authorities takes 40 ms, and a server does not need them. */
#define LOOP_TLS_OPTIONS (LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)

struct lws_context *loop_lws(struct loop *l);
struct lws_vhost *loop_vhost(struct loop *l);
/* What happens to sockets of HTTP_PROTOCOL, for the protocols of a virtual host. Calls what loop_set_http() has set. */
int loop_http_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len);
void loop_set_http(struct loop *l, lws_callback_function *on_http);
/* Wraps an accepted connection; the caller sets its user data. NULL on failure; `fd` is closed then. */
struct lws *tls_adopt(struct tls *t, int fd, const char *protocol);
bool tls_is_used(struct lws *wsi); /* whether the client made a TLS handshake */
/* Sends a close_notify alert, so that the client can tell a complete response from a truncated one. */
void tls_finish(struct lws *wsi);
