/* Secrets (--secrets) that tools type when they are given the name. What hides their values is base/mask. */
#pragma once

#include "app/app.h"

/* The secret of that name; NULL when there is none. */
const struct secret *secret_find(const struct app *app, const char *name);
