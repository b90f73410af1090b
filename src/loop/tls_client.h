/*
 * The client side of TLS on a connected, non-blocking socket. The server's certificate is verified unless the caller accepts any: it
 * must be valid for the host and issued by an authority that the system trusts (SSL_CERT_FILE and SSL_CERT_DIR name others, as for
 * every OpenSSL program).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/macros.h"
#include "loop/request.h"

struct tls_client;

/*
 * Of `server` it takes the host, and which certificates are accepted. The caller keeps `fd` open as long. Reading the authorities of the
 * system takes 40 ms, once, and not for connections that accept any certificate or have a file of their own, which is read each time.
 */
struct tls_client *tls_client_new(int fd, const struct request *server);
struct tls_client *tls_client_free(struct tls_client *c);
DEFINE_FREEP(tls_client);

/* Continues the handshake. 0: it is complete; -EAGAIN: when the socket has tls_client_events(); -EPROTO: tls_client_failure(). */
int tls_client_handshake(struct tls_client *c);
/* The EPOLL* bits that the last operation waits for. */
uint32_t tls_client_events(const struct tls_client *c);
/* Why it failed, readable. */
const char *tls_client_failure(const struct tls_client *c);
/* As recv() and send(), with their errno. */
ssize_t tls_client_receive(struct tls_client *c, void *buffer, size_t size);
ssize_t tls_client_send(struct tls_client *c, const void *data, size_t len);
