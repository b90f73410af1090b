/* Words that answers do not show (--secrets), and that tools type when they are given the name instead. */
#pragma once

#include "base/str.h"
#include "tools/app.h"

/* The secret of that name; NULL when there is none. */
const struct secret *secret_find(const struct app *app, const char *name);
/* Puts <secret>NAME</secret> in the place of each value. */
void secrets_hide(const struct app *app, struct str *text);
