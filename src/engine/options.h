/* What browsers there are, and how they are started. */
#pragma once

#include <stdbool.h>

struct json;

enum browser_product {
	BROWSER_AUTO,
	BROWSER_CHROMIUM,
	BROWSER_CHROME, /* this and the following have the names of Playwright's channels */
	BROWSER_CHROME_BETA,
	BROWSER_CHROME_DEV,
	BROWSER_CHROME_CANARY,
	BROWSER_MSEDGE,
	BROWSER_MSEDGE_BETA,
	BROWSER_MSEDGE_DEV,
	BROWSER_MSEDGE_CANARY,
	BROWSER_FIREFOX,     /* the stock program */
	BROWSER_MOZ_FIREFOX, /* another name for it, which option_settle.c replaces */
};
extern const char *const browser_product_table[]; /* "auto", "chromium", ... indexed by product, NULL-terminated */

enum sandbox_mode {
	SANDBOX_AUTO, /* on where it can work, else off with a notice */
	SANDBOX_ON,   /* always: the browser fails to start where it cannot work */
	SANDBOX_OFF,
};

/* How this program talks to a browser that it starts. */
enum browser_connection {
	CONNECTION_AUTO, /* the port where it can be made private, else the pipe with a notice */
	CONNECTION_PORT, /* its debugging port, closed to all other processes (loop/private_port.h) */
	CONNECTION_PIPE, /* a socket that it inherits */
};
extern const char *const browser_connection_table[]; /* "auto", "port"... indexed by enum browser_connection, NULL-terminated */

struct engine_options;
/* "chromium" or "firefox": the engine of the browser. */
const char *engine_name(const struct engine_options *o);

/* How a browser is started. Borrowed strings live as long as it may be started with them. */
struct engine_options {
	enum browser_product product;
	const char *executable; /* decides alone when set, may be a name on PATH; NULL: look for one, engine/find.h */
	bool headless;
	enum sandbox_mode sandbox;
	enum browser_connection connection;
	int width, height;                       /* of its windows; 0: as the browser likes */
	const char *proxy_server, *proxy_bypass; /* NULL: none */
	bool proxies_loopback;                   /* this machine is reached through the proxy, unless proxy_bypass names it */
	bool proxied_webrtc;                     /* WebRTC uses what a context's proxy carries and nothing else */
	bool ignores_certificates;       /* of servers, in Firefox also in its own context; in Chromium each page is set so */
	const char *user_data_dir;       /* a profile that stays on disk; NULL: a temporary one */
	const char *const *args;         /* more arguments, NULL-terminated; may be NULL */
	const char *const *without_args; /* usual arguments that are left out, likewise */
	bool without_usual_args;         /* all of those that only set defaults */
	const struct json *env;          /* environment variables of the browser, an object of texts; NULL: those of this process */
	const struct json *
		preferences; /* Firefox: more preferences by their names, an object of texts, integers, true or false; NULL: none */
	bool no_webmcp;      /* pages cannot register tools, unless the arguments allow them to */
	struct {
		const char *executable, *headless, *sandbox, *isolated, *user_data_dir, *connection;
	} names; /* what messages call the settings; `isolated`: the one that makes a server use no profile */
};
