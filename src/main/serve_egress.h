/* The egress rules that follow from the options. */
#pragma once

#include "egress/egress.h"
#include "main/options.h"

struct serve_egress {
	struct egress_settings settings;
	struct upstream upstream;
	struct egress_rules *rules, *dev_server_rules; /* NULL: none */
	struct egress *profile;                        /* proxy of the browser's profile and own traffic; NULL: no restriction */
};

/* Checks that the options about egress are consistent; negative: `error` describes the problem. */
int serve_egress_check(const struct options *o, struct str *error);
/* Initialises `e` and the members of `app` about egress. Negative errno, logged. `e` must not move afterwards. */
int serve_egress_init(struct serve_egress *e, struct loop *l, const struct options *o, struct app *app);
void serve_egress_done(struct serve_egress *e);
