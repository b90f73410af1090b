/* Shared by the files of this folder only. */
#pragma once

#include <libwebsockets.h>

#include "loop/loop.h"
#include "loop/tls.h"

#define HTTPGET_PROTOCOL "httpget"
#define HTTP_PROTOCOL "http"
#define READ_SIZE (64u << 10) /* bytes taken from a socket at a time */

/* The certificates of this machine's authorities, which take 40 ms to read, are only for tls_client_vhost(). */
#define LOOP_TLS_OPTIONS (LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT | LWS_SERVER_OPTION_DISABLE_OS_CA_CERTS)

extern const struct lws_protocols loop_protocols[];

struct lws_context *loop_lws(struct loop *l);
struct lws_vhost *loop_vhost(struct loop *l);
/*
 * Connects to a server: `info` lacks only the context, and may lack the virtual host and the Host field, which is its address then. NULL when that
 * failed at once; callbacks may have been called then.
 */
struct lws *loop_connect(struct loop *l, struct lws_client_connect_info info);
/* Closes a connection, which may be NULL, whose owner goes away: its callbacks do not find that any more. */
void loop_drop_connection(struct lws *wsi);
int http_callback(struct lws *wsi, enum lws_callback_reasons event, void *user, void *in, size_t len);
int httpget_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t len);
/* Of connections to servers whose certificates are checked, or not, which spares the time. NULL: it could not be made. */
struct lws_vhost *tls_client_vhost(struct loop *l, bool checked);
/* libwebsockets has made the SSL_CTX of a server's virtual host. */
void tls_context_made(struct lws_vhost *vhost, void *context);
/* Whether the certificate of the server at the other end is for this numeric address. */
bool tls_server_has_address(struct lws *wsi, const char *address);
/* A connection that was accepted; its owner sets its user data. NULL: it failed, and is closed. */
struct lws *tls_adopt(struct tls *t, int fd, const char *protocol);
bool tls_is_used(struct lws *wsi);
/* Tells the client that nothing more will come, so that it knows that nothing was cut off. */
void tls_finish(struct lws *wsi);
