/* The files of a recording, in a directory of its own. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "recordings/internal.h"
#include "reply/artifacts.h"
#include "reply/owner_dirs.h"

char *recordings_here(const char *dir)
{
	_cleanup_(str_done) struct str path = {};
	char here[PATH_MAX];

	if (!dir || *dir != '/')
		str_append(&path, getcwd(here, sizeof(here)) ? here : "/");
	if (dir)
		str_appendf(&path, "%s%s", *dir == '/' ? "" : "/", dir);
	return str_take(&path);
}

/* Over HTTP the owner's own directory; over stdio the output directory, or the folder of automatic files in the working directory. */
int recording_folder(const struct recordings *all, uint64_t owner, const char **ret_root, const char **ret_rest)
{
	const struct output *output = &all->app->output;

	*ret_rest = OUTPUT_DIRECTORY "/" RECORDING_FOLDER;
	if (output->owner_dirs)
		return owner_dirs_path(output->owner_dirs, owner, ret_root);
	*ret_root = all->here;
	if (output->settings->dir)
		*ret_rest = RECORDING_FOLDER;
	return 0;
}

int recording_make_directory(struct session_record *r)
{
	const char *root, *folder;
	_cleanup_(str_done) struct str rest = {};
	int fd = recording_folder(r->all, r->owner, &root, &folder);

	if (fd < 0)
		return fd;
	str_appendf(&rest, "%s/%s", folder, r->id);
	fd = beneath_directory(root, rest.data, true);
	if (fd < 0)
		return fd;
	r->directory = fd;
	r->root = must(strdup(root));
	r->rest = str_take(&rest);
	owner_dirs_add(r->all->app->output.owner_dirs, r->owner, 0, 1);
	return 0;
}

int recording_create(struct session_record *r, const char *name)
{
	struct owner_dirs *dirs = r->all->app->output.owner_dirs;
	int fd;

	if (owner_dirs_room(dirs, r->owner) == 0)
		return -EDQUOT;
	fd = openat(r->directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, BENEATH_FILE_MODE);
	if (fd < 0)
		return -errno;
	owner_dirs_add(dirs, r->owner, 0, 1);
	return fd;
}

uint64_t recording_close(struct session_record *r, const char *name, int fd)
{
	_cleanup_(str_done) struct str path = {}, rest = {};
	struct stat st = {};

	fstat(fd, &st);
	close(fd);
	str_appendf(&rest, "%s/%s", r->rest, name);
	str_appendf(&path, "%s/%s", r->root, rest.data);
	owner_dirs_add(r->all->app->output.owner_dirs, r->owner, st.st_size, 0);
	artifacts_add(r->all->app->output.artifacts, r->owner,
		      &(const struct output_file){ .path = path.data, .root = r->root, .rest = rest.data }, &st);
	return (uint64_t)st.st_size;
}

void recording_video_name(unsigned number, char ret[RECORDING_NAME_SIZE])
{
	snprintf(ret, RECORDING_NAME_SIZE, "video-%u.webm", number + 1);
}
