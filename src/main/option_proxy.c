/* --proxy-server: the browser gets the address without its user. */
#include "main/option_parser.h"
#include "page/values.h"

void option_settle_proxy(struct options *o)
{
	struct proxy_address address;

	if (!o->browser.start.proxy_server)
		return;
	proxy_address_split(&o->arena, o->browser.start.proxy_server, &address);
	if (!address.server)
		return;
	o->browser.start.proxy_server = address.server;
	if (!address.username || o->browser.page.proxy_username)
		return;
	if (address.password)
		o->browser.page.proxy_password = address.password;
	o->browser.page.proxy_username = address.username;
}
