/* Where the sessions of the server may connect, as the options say. */
#pragma once

#include "egress/egress.h"
#include "main/options.h"

struct serve_egress {
	struct egress_settings settings;
	struct upstream upstream;
	struct egress_rules *rules, *dev_server_rules; /* NULL: none */
	struct egress *profile; /* what the whole browser is started with; NULL: sessions may connect anywhere */
};

/* Whether the options about it fit together; else negative, and `error` says what does not. */
int serve_egress_check(const struct options *o, struct str *error);
/* Fills it, and what of `app` is about it. Negative errno, logged. The struct must not move from then on. */
int serve_egress_init(struct serve_egress *e, struct loop *l, const struct options *o, struct app *app);
void serve_egress_done(struct serve_egress *e);
