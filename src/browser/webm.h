/*
 * Turns the recording of a browser into a WebM file while it arrives. Chromium records fragmented MP4 (ISO/IEC 14496-12) with one
 * video track; the same frames are written into WebM (RFC 9559), which players and clients of @playwright/mcp expect. A
 * recording that is WebM already is written as it is. The file is playable even if it never gets its end.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

struct webm;

/* Writes to `fd`, which must be able to seek and stays the caller's; it must be open until webm_free(). */
struct webm *webm_new(int fd);
struct webm *webm_free(_nullable_ struct webm *w);
DEFINE_FREEP(webm);
/* The next bytes of the recording. -EPROTO: it is of a kind that is not known here; -EFBIG: a part exceeds LIMIT_VIDEO_FRAGMENT; else an error of writing. */
int webm_feed(struct webm *w, const uint8_t *data, size_t len);
/* Writes the index and the duration. The same errors; 0 as well if nothing was recorded. */
int webm_end(struct webm *w);
