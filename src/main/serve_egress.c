#include "main/serve_egress.h"

#include <errno.h>
#include <string.h>

#include "base/log.h"

#define NOT_LISTED "it is not among the hosts that the operator allows (--egress-hosts, ALLOWED_HOSTS)"
#define NOT_OWN \
	"only the session's own server and the public Internet are reached; the operator can name more with --egress-hosts or --egress"

/*
 * Whether the egress proxies can use the upstream proxy of the options: they support http and socks5 without
 * exceptions.
 */
static bool can_go_through_proxy(const struct options *o, struct upstream *ret)
{
	return !o->proxy_server || (!o->proxy_bypass && upstream_parse(o->proxy_server, ret));
}

int serve_egress_check(const struct options *o, struct str *error)
{
	_cleanup_(egress_rules_freep) struct egress_rules *rules = NULL;
	struct upstream upstream;

	if (o->egress.count && egress_rules_new(o->egress.items, &rules, error) < 0) {
		str_prepend(error, "--egress: ", strlen("--egress: "));
		return -EINVAL;
	}
	if (!egress_rules_restrict(rules) && !o->allowed_origins.count && !o->blocked_origins.count)
		return 0;
	if (can_go_through_proxy(o, &upstream))
		return 0;
	str_appendf(error,
		    "%s cannot be used with --egress, --allowed-origins and --blocked-origins: connections that these allow "
		    "go through http:// and socks5:// proxies, for all hosts",
		    o->proxy_bypass ? "--proxy-bypass" : "--proxy-server of this kind");
	return -EINVAL;
}

static struct egress_rules *rules_of(const struct option_list *list)
{
	_cleanup_(str_done) struct str error = {};
	struct egress_rules *rules = NULL;

	if (list->count && egress_rules_new(list->items, &rules, &error) < 0)
		log_error("egress: %s", error.data); /* options_parse() has checked the rules */
	return rules;
}

/* Without other rules, sessions with a dev server may reach that server and the public Internet. */
static void init_dev_servers(struct serve_egress *e, const struct options *o, struct app *app)
{
	_cleanup_(str_done) struct str error = {};

	if (o->egress_hosts.count)
		e->dev_server_rules = rules_of(&o->egress_hosts);
	else if (!egress_rules_restrict(e->rules))
		egress_rules_parse("public", &e->dev_server_rules, &error);
	app->e2e.egress = e->dev_server_rules;
	app->e2e.egress_why = o->egress_hosts.count ? NOT_LISTED : NOT_OWN;
}

int serve_egress_init(struct serve_egress *e, struct loop *l, const struct options *o, struct app *app)
{
	int r = 0;

	app->unknown_proxy = !can_go_through_proxy(o, &e->upstream);
	e->rules = rules_of(&o->egress);
	e->settings = (struct egress_settings){
		.rules = e->rules,
		.allowed_origins = o->allowed_origins.items,
		.blocked_origins = o->blocked_origins.items,
		.upstream = o->proxy_server && !app->unknown_proxy ? &e->upstream : NULL,
	};
	app->egress = &e->settings;
	init_dev_servers(e, o, app);
	if (egress_settings_restrict(&e->settings))
		r = egress_new(l, &e->settings, NULL, &e->profile);
	if (r < 0)
		log_error("cannot create the egress proxy: %s", strerror(-r));
	return r;
}

void serve_egress_done(struct serve_egress *e)
{
	e->profile = egress_unref(e->profile);
	e->rules = egress_rules_free(e->rules);
	e->dev_server_rules = egress_rules_free(e->dev_server_rules);
}
