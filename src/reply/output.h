/*
 * Files that calls name, and files that answers name. Only this module decides which files a client may read or write: code
 * that takes a path from a client calls output_find() and then uses its result.
 *
 * A client may reach files below its workspace, and below the output directory if one is set. The workspace is the first root that the
 * client names, or the server's working directory; over HTTP it is a directory that only the client's owner can reach
 * (reply/owner_dirs.h), or the root if clients may use any file. Automatic files are written below .playwright-mcp in the workspace, or to the output directory.
 *
 * output_find() resolves a name. Opening it then follows no symbolic link and checks the descriptor that is used
 * (base/beneath.h), so the file that was checked is the file that is opened. A file is written only if it is new, or if this
 * server wrote it for the same owner and it has not changed since. Files have mode 600, directories 700. Strings live in the
 * task's arena.
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

#define OUTPUT_DIRECTORY ".playwright-mcp" /* the default */

struct output_settings {
	const char *dir;     /* the output directory; NULL: OUTPUT_DIRECTORY in the workspace */
	uint64_t max;        /* bytes of automatic files in it, the oldest are removed first; 0: any number */
	bool absolute_paths; /* answers name files by absolute paths instead of relative ones */
	bool ignore_roots;   /* clients are not asked for their roots: the workspace is the working directory */
	bool unrestricted;   /* clients may use files anywhere and file: URLs */
	struct {
		const char *dir;
	} names; /* what messages call the settings */
};

/* Where clients have their files. */
struct output {
	const struct output_settings *settings;
	struct browser *browser;       /* its downloads count as automatic files */
	struct artifacts *artifacts;   /* files that tools have written */
	struct owner_dirs *owner_dirs; /* directories of HTTP clients, below the output directory; NULL: over stdio */
};

/* The files that a call may reach. */
struct file_access {
	const struct output *output;
	const char *workspace; /* absolute path of the workspace; NULL: the server's working directory */
	uint64_t owner;        /* owner of the files that the call writes */
	bool may_write;        /* the call's access token permits writing */
};

/* A file (which need not exist) that may be reached. */
struct output_file {
	const char *path; /* absolute, as the call named it: for messages and answers */
	const char *root; /* absolute, links resolved; the directory that it may not leave */
	const char *rest; /* relative to that, links resolved as far as it exists */
};

/* The directory that a file: URI of the client names; NULL if it names none, or by a path that is longer than output_find() takes. */
const char *output_workspace(struct task *t, const char *uri);
/*
 * Resolves a file name from a caller. -ERR_INVALID_PARAMETERS: the caller may not reach that file, or its absolute path has more than
 * LIMIT_PATH bytes or LIMIT_PATH_NAMES_COUNT names.
 */
int output_find(struct task *t, const struct file_access *files, const char *name, struct output_file *ret);
/* The directory of automatic files and downloads, which need not exist; makes room for more there. Fails as output_find(). */
int output_downloads(struct task *t, const struct file_access *files, struct output_file *ret);
/* How many bytes of downloads may be there that no answer has reported: what a client may have of files, if that is limited. */
uint64_t output_downloads_max(const struct file_access *files);
/* `page-2026-11-20T18-14-26-717Z.yml` in that directory, for the prefix "page" and the extension "yml". */
int output_automatic(struct task *t, const struct file_access *files, const char *prefix, const char *extension,
		     struct output_file *ret);
/* The file of that name, or an automatic one if `name` is NULL. */
int output_choose(struct task *t, const struct file_access *files, const char *name, const char *prefix, const char *extension,
		  struct output_file *ret);
/* output_automatic() for another time than now, in Unix milliseconds. */
int output_at(struct task *t, const struct file_access *files, const char *prefix, int64_t at, const char *extension,
	      struct output_file *ret);

/* Returns an O_PATH descriptor of the file or directory, and its status. -ERR_INVALID_PARAMETERS: it does not exist. */
int output_look(struct task *t, const struct output_file *f, struct stat *ret);
/*
 * Makes the file of output_look() available to the pages of the context and closes the descriptor. `ret_path` is the path to
 * send to the browser (browser/uploads.h). Suspends.
 */
int output_give_to_pages(struct task *t, struct context *c, const struct output_file *f, int fd, const char **ret_path);
/* Returns a descriptor to read a regular file. Fails like output_look(). */
int output_open(struct task *t, const struct output_file *f);
/* Appends the contents of a file, at most `limit` bytes. */
int output_read(struct task *t, const struct output_file *f, size_t limit, struct str *out);

/*
 * Returns a descriptor to write a file, which output_close() takes. `append`: keeps the contents; otherwise the file is
 * truncated. -ERR_INVALID_PARAMETERS: the client may not write, or the existing file is not its own.
 */
int output_open_new(struct task *t, const struct file_access *files, const struct output_file *f, bool append);
/* output_open_new() without a task: a negative errno on failure. */
int output_try_open(const struct file_access *files, const struct output_file *f, bool append);
/* Closes the finished file, which becomes a resource of its owner (reply/artifacts.h). */
void output_close(const struct file_access *files, const struct output_file *f, int fd);
/* Removes a file that could not be written completely. */
void output_remove(const struct output_file *f);
/* Opens the file, writes the content and closes it. A file that cannot be written completely is removed, unless it was appended to. */
int output_write(struct task *t, const struct file_access *files, const struct output_file *f, const void *data, size_t len,
		 bool append);
/*
 * Writes a file beside one that output_open_new() has opened: a part of its contents, no resource of its own. One that exists stays
 * as it is. Negative errno.
 */
int output_write_part(const struct output_file *f, const void *data, size_t len);
/* output_write() for base64 data, which it decodes. */
int output_write_base64(struct task *t, const struct file_access *files, const struct output_file *f, const char *base64);

/* The form of a path in answers: relative to the workspace ("./name", "folder/name", "../name"), or absolute. */
const char *output_shown(struct task *t, const struct file_access *files, const char *path);
