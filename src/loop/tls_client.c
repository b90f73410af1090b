#include "loop/tls_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>

struct tls_client {
	SSL *ssl; /* NULL: it could not be made */
	uint32_t events;
	char failure[200];
};

static SSL_CTX *new_context(bool verify)
{
	SSL_CTX *ctx = SSL_CTX_new(TLS_client_method());

	if (!ctx)
		return NULL;
	SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
	if (verify)
		SSL_CTX_set_default_verify_paths(ctx);
	SSL_CTX_set_verify(ctx, verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, NULL);
	SSL_CTX_set_mode(ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY);
	return ctx;
}

/* Shared by all connections of a kind, for the authorities. */
static SSL_CTX *context(bool verify)
{
	static SSL_CTX *contexts[2];

	if (!contexts[verify])
		contexts[verify] = new_context(verify);
	return contexts[verify];
}

/* Of one connection, which keeps it. NULL: `authorities` cannot be read. */
static SSL_CTX *context_with(const char *authorities)
{
	SSL_CTX *ctx = new_context(true);

	if (ctx && SSL_CTX_load_verify_locations(ctx, authorities, NULL) == 1)
		return ctx;
	SSL_CTX_free(ctx);
	return NULL;
}

static SSL *new_ssl(const struct request *server)
{
	SSL_CTX *own = server->authorities ? context_with(server->authorities) : NULL;
	SSL_CTX *ctx = server->authorities ? own : context(!server->any_certificate);
	SSL *ssl = ctx ? SSL_new(ctx) : NULL;

	SSL_CTX_free(own);
	return ssl;
}

static bool is_address(const char *host)
{
	struct in6_addr any;

	return inet_pton(AF_INET, host, &any) == 1 || inet_pton(AF_INET6, host, &any) == 1;
}

/* Server Name Indication is for names only. */
static bool expect_host(SSL *ssl, const char *host)
{
	if (is_address(host))
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host) == 1;
	return SSL_set_tlsext_host_name(ssl, host) == 1 && SSL_set1_host(ssl, host) == 1;
}

struct tls_client *tls_client_new(int fd, const struct request *server)
{
	struct tls_client *c = NEW(struct tls_client);

	c->ssl = new_ssl(server);
	if (c->ssl && SSL_set_fd(c->ssl, fd) == 1 && expect_host(c->ssl, server->host)) {
		SSL_set_connect_state(c->ssl);
		return c;
	}
	if (!c->ssl && server->authorities)
		snprintf(c->failure, sizeof(c->failure), "no certificates can be read from %s", server->authorities);
	else
		snprintf(c->failure, sizeof(c->failure), "TLS cannot be started");
	SSL_free(c->ssl);
	c->ssl = NULL;
	ERR_clear_error();
	return c;
}

struct tls_client *tls_client_free(struct tls_client *c)
{
	if (!c)
		return NULL;
	SSL_free(c->ssl);
	free(c);
	return NULL;
}

uint32_t tls_client_events(const struct tls_client *c)
{
	return c->events;
}

const char *tls_client_failure(const struct tls_client *c)
{
	return c->failure;
}

/* The errno of a failed operation; 0: the peer has closed the connection. */
static int tls_client_error_of(struct tls_client *c, int result)
{
	int socket_error = errno;

	switch (SSL_get_error(c->ssl, result)) {
	case SSL_ERROR_WANT_READ:
		c->events = EPOLLIN;
		return EAGAIN;
	case SSL_ERROR_WANT_WRITE:
		c->events = EPOLLOUT;
		return EAGAIN;
	case SSL_ERROR_ZERO_RETURN:
		return 0;
	case SSL_ERROR_SYSCALL:
		return socket_error ? socket_error : ECONNRESET;
	default:
		return EPROTO;
	}
}

static void tls_client_describe(struct tls_client *c, int error)
{
	long verified = SSL_get_verify_result(c->ssl);
	const char *reason = ERR_reason_error_string(ERR_peek_error());

	if (verified != X509_V_OK)
		snprintf(c->failure, sizeof(c->failure), "the server's certificate is not accepted: %s",
			 X509_verify_cert_error_string(verified));
	else
		snprintf(c->failure, sizeof(c->failure), "the TLS handshake failed: %s", reason ? reason : strerrordesc_np(error));
}

int tls_client_handshake(struct tls_client *c)
{
	int r, error;

	if (!c->ssl)
		return -EPROTO;
	ERR_clear_error();
	errno = 0;
	r = SSL_do_handshake(c->ssl);
	error = r == 1 ? 0 : tls_client_error_of(c, r);
	if (r == 1 || error == EAGAIN)
		return -error;
	tls_client_describe(c, error ? error : ECONNRESET);
	ERR_clear_error();
	return -EPROTO;
}

/* The result of recv() or send(). */
static ssize_t result_of(struct tls_client *c, int r)
{
	int error;

	if (r > 0)
		return r;
	error = tls_client_error_of(c, r);
	ERR_clear_error();
	errno = error;
	return error ? -1 : 0;
}

ssize_t tls_client_receive(struct tls_client *c, void *buffer, size_t size)
{
	ERR_clear_error();
	errno = 0;
	return result_of(c, SSL_read(c->ssl, buffer, (int)MIN(size, (size_t)INT_MAX)));
}

ssize_t tls_client_send(struct tls_client *c, const void *data, size_t len)
{
	ERR_clear_error();
	errno = 0;
	return result_of(c, SSL_write(c->ssl, data, (int)MIN(len, (size_t)INT_MAX)));
}
