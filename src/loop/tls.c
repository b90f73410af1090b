#include "loop/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "loop/internal.h"
#include "loop/tls_pair.h"

#define VHOST_NAME "browserd-tls"
#define LOOK_PERIOD USEC_PER_SEC /* between two checks of the files */

struct tls {
	struct tls_files files;
	struct lws_vhost *vhost; /* the context's */
	SSL_CTX *context;        /* the virtual host's */
	struct tls_stamp stamp;  /* of the files as they were last read */
	usec_t looked;
};

/* ---- the files ---- */

/* Installs the pair completely or not at all; it applies to new connections. */
static int install_pair(struct tls *t, const struct tls_pair *p, struct str *error)
{
	if (SSL_CTX_use_cert_and_key(t->context, p->cert, p->key, p->chain, 1) == 1)
		return 0;
	ERR_clear_error();
	str_appendf(error, "%s: the certificate in %s cannot be used: make one with a larger key", t->files.cert_option,
		    t->files.cert);
	return -EINVAL;
}

static int take_files(struct tls *t, struct str *error)
{
	_cleanup_(tls_pair_done) struct tls_pair pair = {};
	int r = tls_pair_read(&t->files, &pair, error);

	return r < 0 ? r : install_pair(t, &pair, error);
}

/*
 * Reads changed files again. They are checked when a client connects, so no timer is needed. While only one of the two files
 * has been replaced, certificate and key do not match; the next check after the second replacement succeeds.
 */
static void tls_renew(struct tls *t)
{
	_cleanup_(str_done) struct str error = {};
	struct tls_stamp stamp;

	if (clock_now() - t->looked < LOOK_PERIOD)
		return;
	t->looked = clock_now();
	stamp = tls_stamp_now(&t->files);
	if (!tls_stamps_differ(&stamp, &t->stamp))
		return;
	t->stamp = stamp;
	if (take_files(t, &error) < 0)
		log_warning("the certificate and key have changed but cannot be used, the previous ones stay in use: %s",
			    error.data);
	else
		log_info("the certificate in %s has changed and is used for new connections", t->files.cert);
}

/* ---- connections ---- */

/* The first protocol of a virtual host is told when libwebsockets has created its SSL_CTX. */
static int on_context(struct lws *wsi, enum lws_callback_reasons reason, void *context, void *in, size_t len)
{
	if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS)
		((struct tls *)lws_vhost_user(lws_get_vhost(wsi)))->context = context;
	return 0;
}

static const struct lws_protocols protocols[] = {
	{ .name = "tls", .callback = on_context },
	{ .name = HTTP_PROTOCOL, .callback = loop_http_callback, .rx_buffer_size = READ_SIZE },
	{},
};

static struct lws_vhost *make_vhost(struct loop *l, struct tls *t)
{
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = protocols,
		.vhost_name = VHOST_NAME,
		.alpn = "http/1.1",
		.ssl_cert_filepath = t->files.cert,
		.ssl_private_key_filepath = t->files.key,
		.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION,
		/* plain HTTP is accepted so that http.c can respond with an error */
		.options = LOOP_TLS_OPTIONS | LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
			   LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER,
		.user = t,
	};

	return lws_create_vhost(loop_lws(l), &info);
}

int tls_new(struct loop *l, const struct tls_files *files, struct tls **ret, struct str *error)
{
	_cleanup_(tls_freep) struct tls *t = NEW(struct tls);
	_cleanup_(tls_pair_done) struct tls_pair pair = {};
	int r;

	*t = (struct tls){ .files = *files, .stamp = tls_stamp_now(files), .looked = clock_now() };
	r = tls_pair_read(files, &pair, error);
	if (r < 0)
		return r;
	t->vhost = make_vhost(l, t);
	if (!t->vhost) {
		str_appendf(error, "%s: the certificate in %s cannot be used: make one with a larger key", files->cert_option,
			    files->cert);
		return -EINVAL;
	}
	*ret = TAKE_PTR(t);
	return 0;
}

struct tls *tls_free(struct tls *t)
{
	free(t);
	return NULL;
}

struct lws *tls_adopt(struct tls *t, int fd, const char *protocol)
{
	lws_sock_file_fd_type descriptor = { .sockfd = fd };

	tls_renew(t);
	return lws_adopt_descriptor_vhost(t->vhost, LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL, descriptor, protocol, NULL);
}

bool tls_is_used(struct lws *wsi)
{
	return lws_get_ssl(wsi);
}

void tls_finish(struct lws *wsi)
{
	SSL *ssl = lws_get_ssl(wsi);

	if (ssl && SSL_is_init_finished(ssl))
		SSL_shutdown(ssl);
	ERR_clear_error();
}
