#include "auth/keyset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "auth/metadata.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/fetch.h"
#include "loop/http_url.h"

#define REFRESH_PERIOD (30 * USEC_PER_SEC) /* minimum time between refreshes that tokens with unknown keys cause */
#define RETRY_PERIOD (30 * USEC_PER_SEC)   /* after a failure */
#define FETCH_TIMEOUT (20 * USEC_PER_SEC)

struct keyset {
	struct loop *loop;
	const struct keyset_options *options;
	unsigned place; /* number of the metadata URL that is being fetched */
	char *found;    /* URL from the metadata, while the keys are being fetched */
	struct jwks *jwks;
	unsigned version;
	struct timer *timer; /* starts the next fetch, or is the timeout of the current one */
	struct fetch *fetch; /* in progress, or NULL */
	usec_t refreshed;    /* last refresh for an unknown key; 0: never */
};

static bool keyset_is_url(const char *source)
{
	return !strncmp(source, "http://", 7) || !strncmp(source, "https://", 8);
}

/* Installs a key set. Returns NULL, or why it cannot be used. */
static const char *install_keys(struct keyset *k, char *text, size_t len)
{
	struct jwks *jwks;
	const char *why;

	if (jwks_parse(text, len, &jwks, &why) < 0)
		return why;
	jwks_free(k->jwks);
	k->jwks = jwks;
	k->version++;
	return NULL;
}

static const char *install_keys_of_file(struct keyset *k)
{
	_cleanup_(str_done) struct str text = {};
	int r = file_read(k->options->source, LIMIT_JWKS, &text);

	return r < 0 ? file_failure(r) : install_keys(k, text.data, text.len);
}

/* ---- from a URL ---- */

/* An attacker who can modify the response in transit could supply keys of his own. */
static const char *keyset_check_url(const char *address)
{
	struct http_url u;

	if (!http_url_split(address, &u) || strpbrk(u.path, "?#"))
		return "not a URL such as https://issuer.example";
	return http_url_is_safe(&u) ? NULL : "keys from another machine must be fetched over https://";
}

static void finish_fetch(struct keyset *k, const char *failure)
{
	if (failure && !k->options->source && !k->found)
		log_warning("%s: cannot fetch the metadata of %s: %s", k->options->names.issuer, k->options->issuer, failure);
	else if (failure)
		log_warning("%s: cannot fetch keys from %s: %s",
			    k->options->source ? k->options->names.source : k->options->names.issuer,
			    k->options->source ? k->options->source : k->found, failure);
	k->fetch = fetch_free(k->fetch);
	free(TAKE_PTR(k->found));
	timer_set(k->timer, clock_now() + (failure ? MIN(RETRY_PERIOD, k->options->period) : k->options->period));
}

static void on_keys(struct str *body, const char *failure, void *data)
{
	struct keyset *k = data;

	finish_fetch(k, body ? install_keys(k, body->data, body->len) : failure);
}

static void fetch_from(struct keyset *k, const char *address, void (*done)(struct str *body, const char *failure, void *data))
{
	fetch_free(k->fetch);
	k->fetch = fetch_url_new(k->loop, address, done, k);
}

static void on_metadata(struct str *body, const char *failure, void *data);

/* Fetches the next metadata URL. False when there are no more. */
static bool fetch_next_metadata(struct keyset *k)
{
	_cleanup_(str_done) struct str address = {};

	if (!metadata_url(k->options->issuer, k->place++, &address))
		return false;
	fetch_from(k, address.data, on_metadata);
	return true;
}

/* A missing document only means that the next URL is tried; an existing one is authoritative. */
static void on_metadata(struct str *body, const char *failure, void *data)
{
	struct keyset *k = data;

	if (!body && fetch_next_metadata(k))
		return;
	k->found = body ? metadata_keys(body->data, body->len, k->options->issuer, &failure) : NULL;
	if (!k->found)
		finish_fetch(k, failure);
	else if (keyset_check_url(k->found))
		finish_fetch(k, keyset_check_url(k->found));
	else
		fetch_from(k, k->found, on_keys);
}

static void start_fetch(struct keyset *k)
{
	timer_set(k->timer, clock_now() + FETCH_TIMEOUT);
	k->place = 0;
	if (k->options->source)
		fetch_from(k, k->options->source, on_keys);
	else
		fetch_next_metadata(k);
}

/* ---- for both ---- */

static void keyset_on_timer(void *data)
{
	struct keyset *k = data;

	if (k->fetch)
		finish_fetch(k, "timeout while waiting for the response");
	else if (!k->options->source || keyset_is_url(k->options->source))
		start_fetch(k);
	else
		finish_fetch(k, install_keys_of_file(k));
}

static bool may_refresh(struct keyset *k)
{
	usec_t now = clock_now();

	if (k->refreshed && now - k->refreshed < REFRESH_PERIOD)
		return false;
	k->refreshed = now;
	return true;
}

enum keyset_refreshed keyset_refresh(struct keyset *k)
{
	if (k->fetch)
		return KEYSET_FETCHING;
	if (!may_refresh(k))
		return KEYSET_UNCHANGED;
	keyset_on_timer(k);
	return k->fetch ? KEYSET_FETCHING : KEYSET_RELOADED;
}

const struct jwks *keyset_jwks(const struct keyset *k)
{
	return k->jwks;
}

unsigned keyset_version(const struct keyset *k)
{
	return k->version;
}

/* Reads the keys or starts the first fetch. Returns NULL or an error text. */
static const char *keyset_start(struct keyset *k)
{
	const char *address = k->options->source ? k->options->source : k->options->issuer, *mistake = NULL;

	if (k->options->source && !keyset_is_url(k->options->source))
		return install_keys_of_file(k);
	mistake = keyset_check_url(address);
	if (!mistake)
		start_fetch(k);
	return mistake;
}

int keyset_new(struct loop *l, const struct keyset_options *options, struct keyset **ret, struct str *error)
{
	_cleanup_(keyset_freep) struct keyset *k = NEW(struct keyset);
	const char *mistake;

	*k = (struct keyset){
		.loop = l,
		.options = options,
		.timer = timer_new(l, keyset_on_timer, k),
	};
	mistake = keyset_start(k);
	if (mistake) {
		if (options->source)
			str_appendf(error, "%s: %s: %s", options->names.source, options->source, mistake);
		else
			str_appendf(error, "%s without %s: %s: %s", options->names.issuer, options->names.source, options->issuer,
				    mistake);
		return -EINVAL;
	}
	if (!k->fetch)
		timer_set(k->timer, clock_now() + options->period);
	*ret = TAKE_PTR(k);
	return 0;
}

struct keyset *keyset_free(struct keyset *k)
{
	if (!k)
		return NULL;
	fetch_free(k->fetch);
	free(k->found);
	timer_free(k->timer);
	jwks_free(k->jwks);
	free(k);
	return NULL;
}
