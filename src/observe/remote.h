/*
 * Values of a page as text, from what CDP says about them (Runtime.RemoteObject and its preview). It is the text that
 * agents know from @playwright/mcp: one level of an object or array, of deeper ones the name of their class.
 */
#pragma once

#include "base/json.h"
#include "observe/clip.h"

void remote_text(struct clip *out, const struct json *object);
