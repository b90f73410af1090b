/*
 * Work on files that takes too long for a turn of the loop, in child processes of this one, and the removal of directories. Symbolic
 * links are removed, not followed.
 */
#pragma once

/* Removes a directory with everything in it, however deep. Blocks as long as that takes, so it is for processes without a loop. */
void remove_tree(const char *path);
/*
 * For the loop: when it returns, nothing has this path any more. A few files are removed at once. Of a larger directory the rest is
 * renamed to PATH.removed, which a child process removes. That child may outlive this process.
 */
void remove_tree_aside(const char *path);
/*
 * Calls `fn` in a child process, which then ends. The child has no descriptors of this process, and its end is not reported.
 * Negative errno.
 */
int remove_in_child(void (*fn)(const void *data), const void *data);
/* Blocks until these child processes have ended, for at most `msec`. For the end of the program. */
void remove_finish(int msec);
