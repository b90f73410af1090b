/* What a client changes of a browser context while it is in use; it holds for all pages, also later ones. All functions suspend. */
#pragma once

#include "browser/context.h"

/*
 * Grants the permissions of `names`, a JSON list of texts as engine_knows_permission() knows them, and no others, to `origin`; NULL: to all
 * origins. -ERR_INVALID_PARAMETERS names an unknown one. */
int context_grant_permissions(struct task *t, struct context *c, const struct json *names, const char *origin);
int context_clear_permissions(struct task *t, struct context *c); /* from here on pages ask */
/* page/overrides.h */
struct geolocation;
int context_set_headers(struct task *t, struct context *c, const struct json *headers);
int context_set_geolocation(struct task *t, struct context *c, const struct geolocation *place);
int context_add_init_script(struct task *t, struct context *c, const char *source);
/* page/exposed.h */
struct exposed_receiver;
int context_expose(struct task *t, struct context *c, const char *name);
void context_receive_calls(struct context *c, struct exposed_receiver *r); /* NULL: none from here on; does not suspend */
