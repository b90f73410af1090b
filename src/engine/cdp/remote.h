/*
 * Formats JavaScript values from CDP's description (Runtime.RemoteObject and its preview) as @playwright/mcp does:
 * objects and arrays one level deep, nested ones by the name of their class.
 */
#pragma once

#include "base/json.h"
#include "observe/clip.h"

void remote_text(struct clip *out, const struct json *object);
