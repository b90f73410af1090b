/*
 * States in a folder, PATH/states/OWNER/: s-NAME.state is the state, s-NAME.facts what is known of it without reading it. Both are sealed for the name
 * and the owner (vault/sealed.h), so that a file that was copied to another name or owner does not open there. There is no index: programs that
 * save at the same time replace single files only. OWNER is the name that the settings have for owners without one, or "of-" and a digest.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"
#include "store/states_internal.h"
#include "vault/private_file.h"
#include "vault/sealed.h"

#define FILE_PREFIX "s-"
#define STATE_SUFFIX ".state"
#define FACTS_SUFFIX ".facts"
#define UNFINISHED_AGE 3600 /* seconds after which a file that a killed process has left is removed */

struct state_files {
	struct states states;
	const struct state_folder *folder;
	struct vault_key *key; /* NULL: not needed yet */
};

static struct state_files *files_of(struct states *s)
{
	return (struct state_files *)s;
}

/* `error` is a sentence. */
static int files_fail(struct task *t, struct str *error)
{
	return task_fail(t, -ERR_STATE_UNUSABLE, "%s", str_text(error));
}

static int make_key(struct task *t, struct state_files *f)
{
	_cleanup_(str_done) struct str error = {};

	if (!f->key && vault_key_load(&f->folder->key, true, &f->key, &error) < 0)
		return files_fail(t, &error);
	return 0;
}

/* The folder of the owner, in the task's arena: below that of all. */
static const char *owner_folder(struct task *t, const struct state_files *f, const char *owner)
{
	unsigned char digest[EVP_MAX_MD_SIZE];
	char hex[2 * EVP_MAX_MD_SIZE + 1];
	unsigned len = 0;

	if (!owner)
		return f->folder->unnamed;
	must(EVP_Digest(owner, strlen(owner), digest, &len, EVP_sha256(), NULL) == 1 ? hex : NULL);
	for (unsigned i = 0; i < len; i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	return arena_printf(task_arena(t), "of-%s", hex);
}

static const char *files_path(struct task *t, const struct state_files *f, const char *folder)
{
	return arena_printf(task_arena(t), "%s/states/%s", f->folder->path, folder);
}

static const char *file_path(struct task *t, const struct state_files *f, const char *folder, const char *name, const char *suffix)
{
	return arena_printf(task_arena(t), "%s/states/%s/" FILE_PREFIX "%s%s", f->folder->path, folder, name, suffix);
}

/* ---- what there is ---- */

/* The name of the state in that of a file with this suffix, in the task's arena; NULL: it is another file. */
static const char *name_in(struct task *t, const char *file, const char *suffix)
{
	size_t len = strlen(file), before = strlen(FILE_PREFIX), after = strlen(suffix);
	const char *name;

	if (len <= before + after || strncmp(file, FILE_PREFIX, before) != 0 || strcmp(file + len - after, suffix) != 0)
		return NULL;
	name = arena_strndup(task_arena(t), file + before, len - before - after);
	return state_name_is_valid(name) ? name : NULL;
}

struct usage {
	unsigned count; /* states but for the one of that name */
	uint64_t bytes; /* of all files but for those of that name */
};

static void count_file(struct task *t, int fd, const char *file, const char *but, struct usage *u)
{
	const char *state = name_in(t, file, STATE_SUFFIX), *name = state ? state : name_in(t, file, FACTS_SUFFIX);
	struct stat st;

	if (fstatat(fd, file, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
		return;
	if (strncmp(file, PRIVATE_UNFINISHED, strlen(PRIVATE_UNFINISHED)) == 0 && st.st_mtime < time(NULL) - UNFINISHED_AGE) {
		unlinkat(fd, file, 0);
		return;
	}
	if (name && strcmp(name, but) == 0)
		return;
	u->count += state ? 1 : 0;
	u->bytes += (uint64_t)st.st_size;
}

static void count_files(struct task *t, const char *path, const char *but, struct usage *u)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	for (unsigned n = 0; d && n < LIMIT_STATE_ENTRIES_COUNT && (e = readdir(d)); n++)
		count_file(t, dirfd(d), e->d_name, but, u);
	if (d)
		closedir(d);
}

static int files_check_room(struct task *t, const char *path, const char *name, size_t len)
{
	struct usage u = {};

	count_files(t, path, name, &u);
	if (u.count >= LIMIT_STATES_COUNT)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "there are %u states already, as many as there can be; delete one of them", u.count);
	if (u.bytes + len > LIMIT_STATES_BYTES)
		return task_fail(t, -ERR_INVALID_PARAMETERS,
				 "the states have %llu bytes and this one has %zu, but %llu bytes are the most; delete one of them",
				 (unsigned long long)u.bytes, len, LIMIT_STATES_BYTES);
	return 0;
}

/* Names of states in the folder, in the task's arena; `ret` has room for `max`. */
static int names_of_files(struct task *t, const char *path, struct state_facts *ret, int max)
{
	DIR *d = opendir(path);
	const struct dirent *e;
	const char *name;
	int count = 0;

	for (unsigned n = 0; d && n < LIMIT_STATE_ENTRIES_COUNT && count < max && (e = readdir(d)); n++)
		if ((name = name_in(t, e->d_name, STATE_SUFFIX)))
			ret[count++] = (struct state_facts){ .name = name, .site = "" };
	if (d)
		closedir(d);
	return count;
}

/* ---- the operations ---- */

static int write_sealed(struct task *t, const struct state_files *f, const char *kind, const char *folder, const char *name,
			const char *suffix, const char *text, size_t len)
{
	const struct sealed_about about = { kind, folder, name };
	_cleanup_(str_done) struct str error = {};

	if (sealed_write(t, f->key, &about, file_path(t, f, folder, name, suffix), text, len, &error) < 0)
		return task_cancelled(t) ? -ECANCELED : files_fail(t, &error);
	return 0;
}

/* `error` gets a sentence, but for -ENOENT: there is no such file. */
static int try_to_read(struct task *t, struct state_files *f, const char *kind, const char *folder, const char *name,
		       const char *suffix, struct str *ret, struct str *error)
{
	const struct sealed_about about = { kind, folder, name };
	int r = f->key ? 0 : vault_key_load(&f->folder->key, false, &f->key, error);

	if (r < 0)
		return r == -ENOENT ? -ENOKEY : r;
	return sealed_read(t, f->key, &about, file_path(t, f, folder, name, suffix), ret, error);
}

static int files_save(struct task *t, struct states *s, const char *owner, struct state_facts *facts, const char *text, size_t len)
{
	struct state_files *f = files_of(s);
	const char *folder = owner_folder(t, f, owner), *path = files_path(t, f, folder);
	_cleanup_(str_done) struct str entry = {}, error = {};
	int r;

	facts->size = len;
	facts->saved_at = clock_unix_msec();
	facts->expires_at = 0;
	if (private_directory_make(path, &error) < 0)
		return files_fail(t, &error);
	r = make_key(t, f);
	if (r == 0)
		r = files_check_room(t, path, facts->name, len);
	if (r == 0)
		r = write_sealed(t, f, "state", folder, facts->name, STATE_SUFFIX, text, len);
	if (r < 0)
		return r;
	state_facts_print(facts, &entry);
	return write_sealed(t, f, "state facts", folder, facts->name, FACTS_SUFFIX, entry.data, entry.len);
}

static int files_load(struct task *t, struct states *s, const char *owner, const char *name, struct str *ret)
{
	struct state_files *f = files_of(s);
	const char *folder = owner_folder(t, f, owner);
	_cleanup_(str_done) struct str error = {};
	int r;

	if (access(file_path(t, f, folder, name, STATE_SUFFIX), F_OK) < 0 && errno == ENOENT)
		return 0;
	r = try_to_read(t, f, "state", folder, name, STATE_SUFFIX, ret, &error);
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return task_cancelled(t) ? -ECANCELED : files_fail(t, &error);
	return 1;
}

/* A state whose facts cannot be read is listed, so that it can be deleted. */
static int read_file_facts(struct task *t, struct state_files *f, const char *folder, struct state_facts *ret)
{
	_cleanup_(str_done) struct str text = {}, error = {};
	int r = try_to_read(t, f, "state facts", folder, ret->name, FACTS_SUFFIX, &text, &error);

	if (task_cancelled(t))
		return -ECANCELED;
	if (r == 0 && state_facts_read(t, str_text(&text), ret))
		return 0;
	ret->problem = r < 0 && r != -ENOENT ? arena_strdup(task_arena(t), str_text(&error)) : "it was not saved completely";
	return 0;
}

static int files_list(struct task *t, struct states *s, const char *owner, struct state_facts **ret)
{
	struct state_files *f = files_of(s);
	const char *folder = owner_folder(t, f, owner);
	struct state_facts *list = arena_alloc(task_arena(t), LIMIT_STATES_COUNT * sizeof(*list));
	int count = names_of_files(t, files_path(t, f, folder), list, LIMIT_STATES_COUNT), r = 0;

	for (int i = 0; i < count && r == 0; i++)
		r = read_file_facts(t, f, folder, &list[i]);
	if (r < 0)
		return r;
	state_facts_sort(list, (size_t)count);
	*ret = list;
	return count;
}

static int files_delete(struct task *t, struct states *s, const char *owner, const char *name)
{
	static const char *const suffixes[] = { FACTS_SUFFIX, STATE_SUFFIX };
	struct state_files *f = files_of(s);
	const char *folder = owner_folder(t, f, owner);
	_cleanup_(str_done) struct str error = {};
	int removed = 0;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		int r = private_remove(file_path(t, f, folder, name, suffixes[i]), &error);

		if (r < 0 && r != -ENOENT)
			return files_fail(t, &error);
		removed += r == 0;
	}
	return removed > 0;
}

static void files_free(struct states *s)
{
	vault_key_free(files_of(s)->key);
	free(files_of(s));
}

struct states *states_in_folder(const struct state_folder *folder)
{
	struct state_files *s = NEW(struct state_files);

	*s = (struct state_files){
		.states = { files_save, files_load, files_list, files_delete, files_free },
		.folder = folder,
	};
	return &s->states;
}
