/* Variables of an environment that is passed along, so that tests need not change the process's own. */
#pragma once

/* The value of a variable; NULL: not set. `env` ends with NULL, and may be NULL. */
const char *environment_get(char *const env[], const char *name);
