#include "loop/tls.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/internal.h"

struct tls {
	struct lws_vhost *vhost; /* the context's */
};

/* ---- the files ---- */

static void done_bio(BIO **bio)
{
	BIO_free(*bio);
}

static void done_cert(X509 **cert)
{
	X509_free(*cert);
}

static void done_key(EVP_PKEY **key)
{
	EVP_PKEY_free(*key);
}

static int complain(struct str *error, const char *fmt, ...) _printf_(2, 3);
static int complain(struct str *error, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	str_vappendf(error, fmt, ap);
	va_end(ap);
	ERR_clear_error();
	return -EINVAL;
}

static int read_pem(const char *option, const char *path, struct str *ret, struct str *error)
{
	int r = file_read(path, LIMIT_PEM, ret);

	return r < 0 ? complain(error, "%s: cannot read %s: %s", option, path, strerror(-r)) : 0;
}

static int load_cert(const char *path, X509 **ret, struct str *error)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(done_bio) BIO *bio = NULL;
	int r = read_pem("--tls-cert", path, &text, error);

	if (r < 0)
		return r;
	bio = must(BIO_new_mem_buf(str_text(&text), (int)text.len));
	*ret = PEM_read_bio_X509(bio, NULL, NULL, NULL);
	if (!*ret)
		return complain(error, "--tls-cert: %s holds no certificate in PEM: it must begin with \"-----BEGIN CERTIFICATE-----\" "
				"(from DER: openssl x509 -inform der -in FILE)", path);
	if (X509_cmp_current_time(X509_get0_notAfter(*ret)) < 0)
		log_warning("--tls-cert: the certificate in %s has expired: clients will refuse it", path);
	return 0;
}

/* Nobody is there to be asked. */
static int no_passphrase(char *buf, int size, int writing, void *asked)
{
	*(bool *)asked = true;
	return -1;
}

static int load_key(const char *path, EVP_PKEY **ret, struct str *error)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(done_bio) BIO *bio = NULL;
	bool encrypted = false;
	struct stat info;
	int r = read_pem("--tls-key", path, &text, error);

	if (r < 0)
		return r;
	bio = must(BIO_new_mem_buf(str_text(&text), (int)text.len));
	*ret = PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, &encrypted);
	explicit_bzero(text.data, text.len);
	if (encrypted)
		return complain(error, "--tls-key: the key in %s is encrypted: give one without a passphrase, made with "
				"openssl pkey -in FILE -out NEWFILE", path);
	if (!*ret)
		return complain(error, "--tls-key: %s holds no private key in PEM: it must have a line \"-----BEGIN PRIVATE KEY-----\" "
				"(from DER: openssl pkey -inform der -in FILE)", path);
	if (stat(path, &info) == 0 && info.st_mode & (S_IROTH | S_IWOTH))
		log_warning("--tls-key: every user of this machine can read %s: chmod 600 it", path);
	return 0;
}

static int check_files(const char *cert_path, const char *key_path, struct str *error)
{
	_cleanup_(done_cert) X509 *cert = NULL;
	_cleanup_(done_key) EVP_PKEY *key = NULL;
	int r;

	r = load_cert(cert_path, &cert, error);
	if (r == 0)
		r = load_key(key_path, &key, error);
	if (r < 0)
		return r;
	if (X509_check_private_key(cert, key) != 1)
		return complain(error, "--tls-key: the key in %s does not belong to the first certificate in %s: give the key that it "
				"was made with, and put the server's own certificate before those of its issuers", key_path, cert_path);
	return 0;
}

/* ---- connections ---- */

static struct lws_vhost *make_vhost(struct loop *l, const char *cert, const char *key)
{
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN_SERVER,
		.protocols = loop_protocols,
		.vhost_name = "browserd-tls",
		.alpn = "http/1.1",
		.ssl_cert_filepath = cert,
		.ssl_private_key_filepath = key,
		.ssl_options_set = SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_RENEGOTIATION,
		/* who speaks plain HTTP to it is not served (http.c), but told so */
		.options = LOOP_TLS_OPTIONS | LWS_SERVER_OPTION_ALLOW_NON_SSL_ON_SSL_PORT |
			   LWS_SERVER_OPTION_ALLOW_HTTP_ON_HTTPS_LISTENER,
	};

	return lws_create_vhost(loop_lws(l), &info);
}

struct lws_vhost *tls_client_vhost(struct loop *l)
{
	static const char name[] = "browserd-https";
	struct lws_context_creation_info info = {
		.port = CONTEXT_PORT_NO_LISTEN,
		.protocols = loop_protocols,
		.vhost_name = name,
		.options = LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT,
		/* without this, libwebsockets trusts what it finds in ../share, too */
		.client_ssl_ca_filepath = X509_get_default_cert_file(),
	};
	struct lws_vhost *known = lws_get_vhost_by_name(loop_lws(l), name);

	return known ? known : lws_create_vhost(loop_lws(l), &info);
}

int tls_new(struct loop *l, const char *cert, const char *key, struct tls **ret, struct str *error)
{
	struct lws_vhost *vhost;
	int r;

	r = check_files(cert, key, error);
	if (r < 0)
		return r;
	vhost = make_vhost(l, cert, key);
	if (!vhost)
		return complain(error, "--tls-cert: the certificate in %s cannot be used: make one with a larger key", cert);
	*ret = NEW(struct tls);
	**ret = (struct tls){ .vhost = vhost };
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

	return lws_adopt_descriptor_vhost(t->vhost, LWS_ADOPT_SOCKET | LWS_ADOPT_ALLOW_SSL, descriptor, protocol, NULL);
}

bool tls_server_has_address(struct lws *wsi, const char *address)
{
	_cleanup_(done_cert) X509 *cert = SSL_get_peer_certificate(lws_get_ssl(wsi));

	return cert && X509_check_ip_asc(cert, address, 0) == 1;
}

bool tls_spoken(struct lws *wsi)
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
