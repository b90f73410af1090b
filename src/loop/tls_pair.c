#include "loop/tls_pair.h"

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"

static void done_bio(BIO **bio)
{
	BIO_free(*bio);
}

static int tls_pair_fail(struct str *error, const char *fmt, ...) _printf_(2, 3);
static int tls_pair_fail(struct str *error, const char *fmt, ...)
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

	return r < 0 ? tls_pair_fail(error, "%s: cannot read %s: %s", option, path, file_failure(r)) : 0;
}

/* Reads the certificates after the first one and skips other PEM blocks. */
static STACK_OF(X509) * read_chain(BIO *bio)
{
	STACK_OF(X509) *chain = must(sk_X509_new_null());
	X509 *cert;

	while ((cert = PEM_read_bio_X509(bio, NULL, NULL, NULL)))
		if (!sk_X509_push(chain, cert))
			abort(); /* out of memory */
	ERR_clear_error();       /* the error for the end of the file */
	return chain;
}

static int read_cert(const char *option, const char *path, struct tls_pair *p, struct str *error)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(done_bio) BIO *bio = NULL;
	int r = read_pem(option, path, &text, error);

	if (r < 0)
		return r;
	bio = must(BIO_new_mem_buf(str_text(&text), (int)text.len));
	p->cert = PEM_read_bio_X509(bio, NULL, NULL, NULL);
	if (!p->cert)
		return tls_pair_fail(
			error,
			"%s: %s does not contain a PEM certificate: it must begin with \"-----BEGIN CERTIFICATE-----\" "
			"(from DER: openssl x509 -inform der -in FILE)",
			option, path);
	p->chain = read_chain(bio);
	if (X509_cmp_current_time(X509_get0_notAfter(p->cert)) < 0)
		log_warning("%s: the certificate in %s has expired: clients will refuse it", option, path);
	return 0;
}

/* A server cannot ask for a passphrase. */
static int no_passphrase(char *buf, int size, int writing, void *asked)
{
	*(bool *)asked = true;
	return -1;
}

static int read_key(const char *option, const char *path, struct tls_pair *p, struct str *error)
{
	_cleanup_(str_done) struct str text = {};
	_cleanup_(done_bio) BIO *bio = NULL;
	bool encrypted = false;
	struct stat info;
	int r = read_pem(option, path, &text, error);

	if (r < 0)
		return r;
	bio = must(BIO_new_mem_buf(str_text(&text), (int)text.len));
	p->key = PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, &encrypted);
	explicit_bzero(text.data, text.len);
	if (encrypted)
		return tls_pair_fail(error,
				     "%s: the key in %s is encrypted: give one without a passphrase, made with "
				     "openssl pkey -in FILE -out NEWFILE",
				     option, path);
	if (!p->key)
		return tls_pair_fail(
			error,
			"%s: %s does not contain a PEM private key: it must have a line \"-----BEGIN PRIVATE KEY-----\" "
			"(from DER: openssl pkey -inform der -in FILE)",
			option, path);
	if (stat(path, &info) == 0 && info.st_mode & (S_IROTH | S_IWOTH))
		log_warning("%s: every user of this machine can read %s: chmod 600 it", option, path);
	return 0;
}

int tls_pair_read(const struct tls_files *files, struct tls_pair *ret, struct str *error)
{
	_cleanup_(tls_pair_done) struct tls_pair p = {};
	int r;

	r = read_cert(files->cert_option, files->cert, &p, error);
	if (r == 0)
		r = read_key(files->key_option, files->key, &p, error);
	if (r < 0)
		return r;
	if (X509_check_private_key(p.cert, p.key) != 1)
		return tls_pair_fail(error,
				     "%s: the key in %s does not belong to the first certificate in %s: give the key that it "
				     "was made with, and put the server's own certificate before those of its issuers",
				     files->key_option, files->key, files->cert);
	*ret = p;
	p = (struct tls_pair){};
	return 0;
}

void tls_pair_done(struct tls_pair *p)
{
	X509_free(p->cert);
	sk_X509_pop_free(p->chain, X509_free);
	EVP_PKEY_free(p->key);
}

/* ---- detecting changes ---- */

struct tls_stamp tls_stamp_now(const struct tls_files *files)
{
	const char *const paths[] = { files->cert, files->key };
	struct tls_stamp stamp = {};
	struct stat info;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		if (stat(paths[i], &info) < 0)
			continue;
		stamp.files[i].dev = info.st_dev;
		stamp.files[i].ino = info.st_ino;
		stamp.files[i].size = info.st_size;
		stamp.files[i].changed = info.st_mtim;
	}
	return stamp;
}

bool tls_stamps_differ(const struct tls_stamp *a, const struct tls_stamp *b)
{
	return memcmp(a, b, sizeof(*a)) != 0; /* the struct has no padding, and unset members are 0 */
}
