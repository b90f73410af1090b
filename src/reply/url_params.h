/* Parameters of URLs whose values answers do not show, such as access tokens. */
#pragma once

#include "base/str.h"

/*
 * Replaces the values of these parameters by <redacted> in the queries and fragments of all URLs in the text: what follows "?", "&" or
 * "#", the name and "=". `names` is NULL-terminated; NULL: none.
 */
void url_params_redact(const char *const *names, struct str *text);
