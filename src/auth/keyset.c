#include "auth/keyset.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/log.h"
#include "loop/httpget.h"

#define REFRESH_PERIOD (30 * USEC_PER_SEC) /* tokens with unknown keys make us ask no more often */
#define RETRY_PERIOD (30 * USEC_PER_SEC)   /* after a failure */
#define FETCH_TIMEOUT (20 * USEC_PER_SEC)

struct keyset {
	struct loop *loop;
	const char *source; /* borrowed */
	usec_t period;
	struct jwks *jwks;
	struct timer *timer;  /* the next fetch, or the end of patience with the one under way */
	struct httpget *get;  /* under way */
	usec_t refreshed;     /* for an unknown key; 0: never */
};

static bool is_address(const char *source)
{
	return !strncmp(source, "http://", 7) || !strncmp(source, "https://", 8);
}

/* NULL, or why the text cannot be used. */
static const char *take(struct keyset *k, char *text, size_t len)
{
	struct jwks *jwks;
	const char *why;

	if (jwks_parse(text, len, &jwks, &why) < 0)
		return why;
	jwks_free(k->jwks);
	k->jwks = jwks;
	return NULL;
}

static const char *take_file(struct keyset *k)
{
	_cleanup_(str_done) struct str text = {};
	int r = file_read(k->source, LIMIT_JWKS, &text);

	return r < 0 ? strerror(-r) : take(k, text.data, text.len);
}

/* ---- from an address ---- */

static void ended(struct keyset *k, const char *failure)
{
	if (failure)
		log_warning("--oauth-jwks: the keys at %s cannot be had: %s", k->source, failure);
	k->get = httpget_free(k->get);
	timer_set(k->timer, clock_now() + (failure ? MIN(RETRY_PERIOD, k->period) : k->period));
}

static void on_fetched(struct str *body, const char *failure, void *data)
{
	struct keyset *k = data;

	ended(k, body ? take(k, body->data, body->len) : failure);
}

static void fetch(struct keyset *k)
{
	k->get = httpget_url_new(k->loop, k->source, on_fetched, k);
	timer_set(k->timer, clock_now() + FETCH_TIMEOUT);
}

/* ---- for both ---- */

static void on_timer(void *data)
{
	struct keyset *k = data;

	if (k->get)
		ended(k, "no answer came in time");
	else if (is_address(k->source))
		fetch(k);
	else
		ended(k, take_file(k));
}

static bool may_refresh(struct keyset *k)
{
	usec_t now = clock_now();

	if (k->refreshed && now - k->refreshed < REFRESH_PERIOD)
		return false;
	k->refreshed = now;
	return true;
}

enum keyset_news keyset_refresh(struct keyset *k)
{
	if (k->get)
		return KEYSET_COMING;
	if (!may_refresh(k))
		return KEYSET_SAME;
	on_timer(k);
	return k->get ? KEYSET_COMING : KEYSET_FRESH;
}

const struct jwks *keyset_jwks(const struct keyset *k)
{
	return k->jwks;
}

int keyset_new(struct loop *l, const char *source, usec_t period, struct keyset **ret, struct str *error)
{
	_cleanup_(keyset_freep) struct keyset *k = NEW(struct keyset);
	const char *why = NULL;

	*k = (struct keyset){ .loop = l, .source = source, .period = period, .timer = timer_new(l, on_timer, k) };
	if (is_address(source) && !httpget_takes(source)) {
		str_appendf(error, "%s is no address such as https://issuer.example/jwks.json", source);
		return -EINVAL;
	}
	if (is_address(source))
		fetch(k);
	else
		why = take_file(k);
	if (why) {
		str_appendf(error, "%s: %s", source, why);
		return -EINVAL;
	}
	if (!k->get)
		timer_set(k->timer, clock_now() + period);
	*ret = TAKE_PTR(k);
	return 0;
}

struct keyset *keyset_free(struct keyset *k)
{
	if (!k)
		return NULL;
	httpget_free(k->get);
	timer_free(k->timer);
	jwks_free(k->jwks);
	free(k);
	return NULL;
}
