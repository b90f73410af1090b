/* Parameters of URLs whose values answers do not show, such as access tokens. */
#pragma once

#include "base/str.h"

/*
 * Replaces the values of these parameters by <redacted> in the queries and fragments of all URLs in the text: what follows "?", "&",
 * ";" or "#", the name and "=". Names are compared without regard to case, may be followed by indices ("token[]"), and all of it may be
 * percent-encoded, as in a URL that is itself a parameter. `names` is NULL-terminated; NULL: none.
 */
void url_params_redact(const char *const *names, struct str *text);
