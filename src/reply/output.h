/*
 * Files that calls name, and files that their answers name. This is the one place that decides which file a client may read or
 * write; whatever takes a path from a client asks output_find() and then works with what it returns.
 *
 * A client may reach what is below its workspace, and below --output-dir where the server has been given one. The workspace is
 * the first folder that the client works in, or the server's working directory; over HTTP it is a directory of the client's
 * owner alone (reply/owner_dirs.h). Automatic files go below .playwright-mcp in the workspace, or to --output-dir.
 *
 * output_find() resolves a name; opening then follows no link and looks at the descriptor that is used (base/beneath.h), so
 * that what was checked is what is opened. A file is written only if it is new, or if it is one that was written here for the
 * same owner and is still as it was left. Files have mode 600, directories 700. Texts live in the task's arena.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/str.h"
#include "loop/task.h"

struct artifacts;
struct browser;
struct context;
struct owner_dirs;

/* Where clients have their files: settings and services of the server. */
struct output {
	struct browser *browser;       /* whose downloads are automatic files, too */
	struct artifacts *artifacts;   /* files that tools have written */
	struct owner_dirs *owner_dirs; /* directories of clients of other machines; NULL: over stdio */
	const char *dir;               /* NULL: .playwright-mcp in the workspace */
	uint64_t max;                  /* bytes of automatic files in it, the oldest are removed first; 0: any number */
	bool absolute_paths;           /* answers name files by absolute paths instead of relative ones */
	bool unrestricted;             /* files anywhere, and file: addresses */
};

/* Which of them a call may reach. */
struct file_access {
	const struct output *output;
	const char *workspace; /* where the client works: absolute path; NULL: the server's working directory */
	uint64_t owner;        /* of the files that are written */
	bool may_write;        /* the call's access token allows more than to look */
};

/* A file (which need not exist) that may be reached. */
struct output_file {
	const char *path; /* absolute, as the call named it: for messages and answers */
	const char *root; /* absolute, links resolved; the directory that it may not leave */
	const char *rest; /* relative to that, links resolved as far as it exists */
};

/* The folder that a file: URI of the client names; NULL when it is none. */
const char *output_workspace(struct task *t, const char *uri);
/* The file of a name that a caller gave. -ERR_INVALID_PARAMETERS: it lies outside. */
int output_find(struct task *t, const struct file_access *files, const char *name, struct output_file *ret);
/* The directory of automatic files and downloads, which need not exist. Fails as output_find(). */
int output_downloads(struct task *t, const struct file_access *files, struct output_file *ret);
/* `page-2026-11-20T18-14-26-717Z.yml` in that directory, for the prefix "page" and the extension "yml". */
int output_automatic(struct task *t, const struct file_access *files, const char *prefix, const char *extension,
		     struct output_file *ret);
/* The same for another moment than now (Unix milliseconds). */
int output_at(struct task *t, const struct file_access *files, const char *prefix, int64_t at, const char *extension,
	      struct output_file *ret);

/* A descriptor of whatever is there (O_PATH), and what it is. -ERR_INVALID_PARAMETERS: it is not there. */
int output_look(struct task *t, const struct output_file *f, struct stat *ret);
/*
 * Gives what output_look() has found to the pages of the context and closes the descriptor: `ret_path` is what the browser can be
 * told (browser/uploads.h). Suspends.
 */
int output_give_to_pages(struct task *t, struct context *c, const struct output_file *f, int fd, const char **ret_path);
/* A descriptor to read a regular file. Fails as output_look(). */
int output_open(struct task *t, const struct output_file *f);
/* Appends what a file holds, which may be `limit` bytes. */
int output_read(struct task *t, const struct output_file *f, size_t limit, struct str *out);

/*
 * A descriptor to write a file, which output_close() takes. `append`: behind what it has; else it is empty.
 * -ERR_INVALID_PARAMETERS: the client may not write, or there is a file that is not its own.
 */
int output_open_new(struct task *t, const struct file_access *files, const struct output_file *f, bool append);
/* The file is as it shall be: it becomes a resource of its owner (reply/artifacts.h). */
void output_close(const struct file_access *files, const struct output_file *f, int fd);
/* Both, with the content between them. */
int output_write(struct task *t, const struct file_access *files, const struct output_file *f, const void *data, size_t len,
		 bool append);
/* The same for what comes as base64. */
int output_write_base64(struct task *t, const struct file_access *files, const struct output_file *f, const char *base64);

/* How the answer shows a path: relative to the workspace ("./name", "folder/name"), or absolute. */
const char *output_shown(struct task *t, const struct file_access *files, const char *path);
