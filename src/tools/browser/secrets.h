/* Secrets of the operator, which tools type when the text is the name of one. base/mask hides their values in answers. */
#pragma once

#include "app/app.h"

/* The secret of that name; NULL when there is none. */
const struct secret *secret_find(const struct app *app, const char *name);
