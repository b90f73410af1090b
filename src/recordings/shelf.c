#include "recordings/shelf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/json.h"
#include "loop/remove.h"
#include "recordings/internal.h"
#include "reply/owner_dirs.h"

bool recording_id_is_valid(const char *id)
{
	return strspn(id, "0123456789abcdef-") == RECORDING_ID_LENGTH && !id[RECORDING_ID_LENGTH];
}

/* Only these files are shown, whatever else the owner's agents have put there. */
static const char *shelf_type_of(const char *name)
{
	static const struct {
		const char *prefix, *extension, *type;
	} files[] = {
		{ "manifest", ".json", "application/json" },
		{ "timeline", ".jsonl", "application/x-ndjson" },
		{ "video-", ".webm", "video/webm" },
		{ "trace", ".zip", "application/zip" },
	};
	size_t stem = strcspn(name, ".");

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (starts_with(name, files[i].prefix) && strcmp(name + stem, files[i].extension) == 0 &&
		    strspn(name + strlen(files[i].prefix), "-0123456789") == stem - strlen(files[i].prefix))
			return files[i].type;
	return NULL;
}

/* ---- places ---- */

/* The directory of a recording, or without an id the folder that has those of an owner. */
struct shelf_place {
	const char *root; /* borrowed until the next turn */
	struct str rest;
};

static void shelf_place_done(struct shelf_place *p)
{
	str_done(&p->rest);
}

/* Directories of owners as owner_dirs_path() names them. */
static bool shelf_is_owner(const char *name, size_t len)
{
	if (len != strlen(OWNER_DIR_TEMPLATE) || !starts_with(name, OWNER_DIR_PREFIX))
		return false;
	for (size_t i = strlen(OWNER_DIR_PREFIX); i < len; i++)
		if (!isalnum((unsigned char)name[i]))
			return false;
	return true;
}

static bool shelf_sees_directories(const struct recordings *all, const struct shelf_owner *who)
{
	return who->everyone && all->app->output.owner_dirs;
}

/* The folder of one owner: of `directory` for who sees everyone's over HTTP. */
static int shelf_find_folder(const struct recordings *all, const struct shelf_owner *who, const char *directory, size_t len,
			     struct shelf_place *ret)
{
	const char *rest;
	int r;

	if (shelf_sees_directories(all, who)) {
		ret->root = owner_dirs_parent(all->app->output.owner_dirs);
		str_appendf(&ret->rest, "%.*s/%s/%s", (int)len, directory, OUTPUT_DIRECTORY, RECORDING_FOLDER);
		return shelf_is_owner(directory, len) ? 0 : -ENOENT;
	}
	r = len ? -ENOENT : recording_folder(all, who->owner, &ret->root, &rest);
	if (r == 0)
		str_append(&ret->rest, rest);
	return r;
}

/* The directory of the recording with that key, which is the part of `key` before `len`. */
static int shelf_find(const struct recordings *all, const struct shelf_owner *who, const char *key, size_t len,
		      struct shelf_place *ret)
{
	char id[RECORDING_ID_SIZE] = "";
	size_t directory = len > RECORDING_ID_LENGTH ? len - RECORDING_ID_LENGTH - 1 : 0;
	int r;

	if (len < RECORDING_ID_LENGTH || (len > RECORDING_ID_LENGTH && key[directory] != '/'))
		return -ENOENT;
	memcpy(id, key + len - RECORDING_ID_LENGTH, RECORDING_ID_LENGTH);
	r = recording_id_is_valid(id) ? shelf_find_folder(all, who, key, directory, ret) : -ENOENT;
	if (r == 0)
		str_appendf(&ret->rest, "/%s", id);
	return r;
}

static const char *shelf_id_of(const char *key)
{
	return key + strlen(key) - RECORDING_ID_LENGTH;
}

static int shelf_open(const struct recordings *all, const struct shelf_owner *who, const char *key, size_t len, const char *name)
{
	_cleanup_(shelf_place_done) struct shelf_place place = {};
	int r = shelf_find(all, who, key, len, &place);

	if (r < 0)
		return r;
	str_appendf(&place.rest, "/%s", name);
	return beneath_open(place.root, place.rest.data, O_RDONLY);
}

int recordings_open(struct recordings *all, const struct shelf_owner *who, const char *path, const char **ret_type)
{
	const char *slash = strrchr(path, '/'), *type = slash ? shelf_type_of(slash + 1) : NULL;

	if (!type)
		return -ENOENT;
	*ret_type = type;
	return shelf_open(all, who, path, (size_t)(slash - path), slash + 1);
}

/* ---- the list ---- */

static bool shelf_is_made(const struct recordings *all, const char *id)
{
	const struct session_record *r;

	LIST_FOREACH(r, &all->list, link)
		if (strcmp(r->id, id) == 0)
			return true;
	return false;
}

/* Whether another server makes it, which has the same folder. */
static bool shelf_is_locked(const struct recordings *all, const struct shelf_owner *who, const char *key)
{
	int fd = shelf_open(all, who, key, strlen(key), RECORDING_TIMELINE);
	bool locked = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;

	file_close(&fd);
	return locked;
}

static struct json *shelf_read_manifest(const struct recordings *all, const struct shelf_owner *who, const char *key)
{
	_cleanup_(str_done) struct str text = {};
	int fd = shelf_open(all, who, key, strlen(key), RECORDING_MANIFEST);
	struct json *manifest = NULL;

	if (fd < 0)
		return NULL;
	if (file_read_from(fd, LIMIT_RECORDING_MANIFEST, &text) == 0)
		json_parse(str_text(&text), text.len, 8, JSON_REPLACE_UNREPRESENTABLE, &manifest);
	close(fd);
	return manifest;
}

/* Members that a page needs, whatever else is in the file. */
static void shelf_append(const struct recordings *all, const struct shelf_owner *who, const char *key, struct str *out)
{
	_cleanup_(json_freep) struct json *m = shelf_read_manifest(all, who, key);
	const char *state = json_text(m, "state"), *id = shelf_id_of(key);

	if (json_type(m) != JSON_OBJECT)
		return;
	if (strcmp(state, "running") == 0 && !shelf_is_made(all, id) && !shelf_is_locked(all, who, key))
		state = "cut";
	str_json(out, "? {key: ?, id: ?, session: ?, state: ?, began: ?, ended: ?, end: ?, bytes: ?, title: ?, url: ?, calls: ?",
		 JSON_COMMA(out->data[out->len - 1] != '['), key, id, json_text(m, "session"), state, json_int(m, "began", 0),
		 json_int(m, "ended", 0), json_text(m, "end"), json_int(m, "bytes", 0), json_text(m, "title"), json_text(m, "url"),
		 json_int(m, "calls", 0));
	str_json(out, ", kinds: ?, videos: ?, notes: ?}", json_member(m, "kinds"), json_member(m, "videos"),
		 json_member(m, "notes"));
}

/* Keys of recordings. */
struct shelf_keys {
	char **keys;
	size_t count, looked; /* entries of folders that were looked at, at most LIMIT_RECORDINGS_NAMES_COUNT */
};

static int shelf_latest_first(const void *a, const void *b)
{
	return strcmp(shelf_id_of(*(char *const *)b), shelf_id_of(*(char *const *)a));
}

static struct dirent *shelf_next(struct shelf_keys *l, DIR *dir)
{
	return dir && l->looked++ < LIMIT_RECORDINGS_NAMES_COUNT ? readdir(dir) : NULL;
}

/* Adds the recordings in one folder. `directory`: of its owner in keys, "": none. */
static void shelf_add_folder(struct shelf_keys *l, const struct shelf_place *place, const char *directory)
{
	DIR *dir = beneath_list(place->root, place->rest.data);
	struct dirent *e;

	while ((e = shelf_next(l, dir))) {
		_cleanup_(str_done) struct str key = {};

		if (!recording_id_is_valid(e->d_name))
			continue;
		str_appendf(&key, "%s%s%s", directory, *directory ? "/" : "", e->d_name);
		l->keys[l->count++] = str_take(&key);
	}
	if (dir)
		closedir(dir);
}

static void shelf_add(const struct recordings *all, const struct shelf_owner *who, const char *directory, struct shelf_keys *l)
{
	_cleanup_(shelf_place_done) struct shelf_place place = {};

	if (shelf_find_folder(all, who, directory, strlen(directory), &place) == 0)
		shelf_add_folder(l, &place, directory);
}

static void shelf_add_all(const struct recordings *all, const struct shelf_owner *who, struct shelf_keys *l)
{
	DIR *dir = opendir(owner_dirs_parent(all->app->output.owner_dirs));
	struct dirent *e;

	while ((e = shelf_next(l, dir)))
		if (shelf_is_owner(e->d_name, strlen(e->d_name)))
			shelf_add(all, who, e->d_name, l);
	if (dir)
		closedir(dir);
}

void recordings_list(struct recordings *all, const struct shelf_owner *who, struct str *out)
{
	struct shelf_keys l = { .keys = must(calloc(LIMIT_RECORDINGS_NAMES_COUNT, sizeof(*l.keys))) };

	if (shelf_sees_directories(all, who))
		shelf_add_all(all, who, &l);
	else
		shelf_add(all, who, "", &l);
	qsort(l.keys, l.count, sizeof(*l.keys), shelf_latest_first);
	str_append_char(out, '[');
	for (size_t i = 0; i < l.count && i < LIMIT_RECORDINGS_LISTED_COUNT; i++)
		shelf_append(all, who, l.keys[i], out);
	str_append_char(out, ']');
	for (size_t i = 0; i < l.count; i++)
		free(l.keys[i]);
	free(l.keys);
}

/* ---- removal ---- */

int recordings_remove(struct recordings *all, const struct shelf_owner *who, const char *key)
{
	_cleanup_(shelf_place_done) struct shelf_place place = {};
	_cleanup_(str_done) struct str path = {};
	int r = shelf_find(all, who, key, strlen(key), &place);

	if (r < 0)
		return r;
	if (shelf_is_made(all, shelf_id_of(key)) || shelf_is_locked(all, who, key))
		return -EBUSY;
	r = beneath_directory(place.root, place.rest.data, false);
	if (r < 0)
		return -ENOENT;
	close(r);
	str_appendf(&path, "%s/%s", place.root, place.rest.data);
	remove_tree_aside(path.data);
	return 0;
}
