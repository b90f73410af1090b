/* What browsers there are, and how they are started. */
#pragma once

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
