/*
 * What one connection of the live view shows and does: a WebSocket of a page, with the scope of the person who has it. The site
 * (people/site.h) makes a viewer for each, hands it the messages, and frees it when the connection has ended, also when the login of its
 * person has. All functions are called from the loop and must not suspend.
 */
#pragma once

#include <stddef.h>

#include "app/app.h"
#include "loop/http_socket.h"
#include "people/scope.h"

struct viewers; /* what all of them share */
struct viewer;

struct calls;

struct viewers *viewers_new(struct loop *l, struct app *app, const struct calls *calls);
/* When the last viewer was freed. */
struct viewers *viewers_free(struct viewers *v);

/* `scope` is copied; `socket` exists until viewer_free(). */
struct viewer *viewer_new(struct viewers *all, const struct scope *scope, struct http_socket *socket);
/* A message of the page: UTF-8, followed by a NUL; may be changed in place. */
void viewer_text(struct viewer *v, char *text, size_t len);
/* All that was sent is on its way (`drained` of struct http_socket_handler). */
void viewer_drained(struct viewer *v);
/* The connection has ended, and the socket must not be used any more. */
void viewer_free(struct viewer *v);
