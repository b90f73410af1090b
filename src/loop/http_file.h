/*
 * A file as the response to GET and HEAD, whole or one part of it (RFC 9110, section 14; http_range.h), with validators (section 8.8): a
 * strong ETag of the file's identity, and Last-Modified. If-None-Match is answered with 304; If-Range makes a part depend on the file
 * being the same.
 *
 * The file is read in slices: the next one when the client has received the one before, so that a connection holds one slice, whatever the
 * size of the file, and a turn of the loop reads one. A file that becomes shorter meanwhile ends the connection, since the length was promised.
 */
#pragma once

#include "loop/http.h"

/*
 * Responds with the regular file `fd`, which this function takes over. `type`: its media type. The caller has checked the method. Fields of
 * http_add_fields() are in the response.
 */
void http_file_answer(struct http_exchange *x, int fd, const char *type);
