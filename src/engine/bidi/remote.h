/*
 * Formats JavaScript values from BiDi's description (script.RemoteValue) as engine/cdp/remote.h does from that of CDP: objects and arrays one
 * level deep, nested ones by the names of their classes.
 */
#pragma once

#include "base/json.h"
#include "observe/clip.h"

void bidi_remote_text(struct clip *out, const struct json *value);
