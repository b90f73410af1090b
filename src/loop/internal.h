/* Shared by the files of this folder only. */
#pragma once

#include <libwebsockets.h>

#include "loop/loop.h"
#include "loop/tls.h"

#define HTTP_PROTOCOL "http"
#define READ_SIZE (64u << 10) /* bytes read from a socket in one call */

/* Loading the system's certificate authorities takes 40 ms, and a server does not need them. */
#define LOOP_TLS_OPTIONS (LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)

extern const struct lws_protocols loop_protocols[];

struct lws_context *loop_lws(struct loop *l);
struct lws_vhost *loop_vhost(struct loop *l);
int http_callback(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in, size_t len);
/* Called when libwebsockets has created the SSL_CTX of a server's virtual host. */
void tls_context_made(struct lws_vhost *vhost, void *context);
/* Wraps an accepted connection; the caller sets its user data. NULL on failure; `fd` is closed then. */
struct lws *tls_adopt(struct tls *t, int fd, const char *protocol);
bool tls_is_used(struct lws *wsi); /* whether the client made a TLS handshake */
/* Sends a close_notify alert, so that the client can tell a complete response from a truncated one. */
void tls_finish(struct lws *wsi);
