/* For browser.c, and browser_start.c, which starts and ends what browser.c gives access to. */
#pragma once

#include "browser/attached.h"
#include "browser/internal.h"
#include "engine/launch.h"

enum browser_state { BROWSER_STOPPED, BROWSER_STARTING, BROWSER_RUNNING, BROWSER_ENDING };

struct browser {
	struct loop *loop;
	const struct browser_options *options;
	struct webmcp_watch *webmcp; /* browser_collect_tools(); NULL: tools are not collected */
	struct str profile;          /* browser_use_folder(); empty: that of the options */
	const char *proxy;           /* browser_set_proxy(); NULL: that of the options */
	void (*died)(struct browser *b, void *data);
	void *data;
	struct browser *first; /* whose list of saved files is used for all (browser_new_beside()); itself if there are no others */
	bool is_once, has_been; /* `is_once`: it is not connected to again; `has_been`: it was */

	enum browser_state state;
	struct launch *launch;
	struct launch_history launches;
	bool starting_again; /* the end of such a browser is awaited */
	struct ready start_again;
	struct attached attached;   /* zeroed if the browser is started here */
	struct engine_target *root; /* while the connection is open */
	struct ready release;       /* releases the state of a browser that has ended, from the event loop */
	struct timer *launch_timer;
	struct timer *profile_timer; /* for another attempt to lock the profile */
	usec_t profile_deadline;     /* of the last attempt */
	struct waitq changed;
	bool hung_up; /* it closed the connection while it started */
	unsigned starts;
	bool logged;         /* its creation, in the life that it has for clients: from the first context to the last */
	bool proxied_webrtc; /* WebRTC uses proxies only: from the options, or since a context required it, for all later starts */
	struct failure failure; /* of the last start */
	const struct parts *parts;
	struct engine_browser_events events;
	void *made[BROWSER_PARTS_COUNT];
};

/* Whether that part of `b` was made, and has such a function. */
#define HAS(b, i, hook) ((b)->made[i] && (b)->parts->of_browser[i]->hook)

/* Records the first failure. The state is released later, by the event loop. */
void browser_fail(struct browser *b, const char *fmt, ...) _printf_(2, 3);
/* The connection to an attached browser has ended, or could not be made. */
void browser_fail_attached(struct browser *b, const char *reason);
usec_t browser_setup_time(const struct browser *b); /* 0: no limit */
