/*
 * How long the pages of one session may keep the graphics process of the browser busy, which draws the pages of all sessions, and how much
 * memory it may have. A page that asks for little may cost that process many seconds in each frame (filters, blending), and what it has begun to
 * draw it finishes even when the page has gone. While it does, no other page is drawn.
 *
 * The kernel notifies this process whenever that process has worked for a while (loop/cpu_alarm.h). The thread that draws sleeps between any two
 * frames, also with animations and WebGL; when it has not slept for LIMIT_GPU_BUSY, the pages that worked most are the suspects. They are stopped
 * and the process is ended; Chromium starts another one, and pages draw again what they show (a page loses its WebGL context, which scripts
 * may restore). When what the other pages show is drawn, each suspect runs for a moment while the others are stopped. One for which the thread
 * does not sleep again is ended as if it had crashed, and the next answer to its owner says so.
 *
 * Where many pages draw at once, the thread does not sleep either, so the time grows with the number of renderers that work meanwhile; and if
 * other pages keep it busy while all suspects are stopped, none is ended. A hundred honest pages on two processors lost one or two of them
 * before.
 *
 * With more than LIMIT_GPU_MEMORY (textures of WebGL, layers) the process is ended likewise; no page is.
 *
 * Nothing happens where the kernel has no such clocks or no pidfds, or in a browser that this server has not started. Nothing suspends.
 */
#pragma once

#include <sys/types.h>

#include "base/macros.h"

struct gpu_limit;

/* Called about once a second while there are pages: finds the graphics process below the main process, unless it is known. */
void gpu_limit_watch(struct gpu_limit *g, pid_t main_process);
