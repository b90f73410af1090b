/* Sealed documents, the key that seals them, and the files that hold both. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "loop/loop.h"
#include "loop/task.h"
#include "vault/key.h"
#include "vault/private_file.h"
#include "vault/sealed.h"

#define KEY "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define OTHER_KEY "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHiA="
#define HEADER_SIZE 40
#define TEXT "{\"cookies\":[]}"

/* TEXT of this key, kind, owner and name, as a program in another language with another library sealed it by the format's description. */
static const char elsewhere[] = "425257445345414c01010000355b5441e657e679a0a1a2a3a4a5a6a7a8a9aaab000000000000000e"
				"9d3a1f422aa06bda1147bd885a078e582d38882e46bc124128ef65b492a3";
static const struct sealed_about about = { "state", "ann", "shop" };

static char folder[64];

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int setup(void **state)
{
	strcpy(folder, "/tmp/browserd-sealed-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	_cleanup_(str_done) struct str command = {};

	str_appendf(&command, "rm -rf %s", folder);
	return system(command.data);
}

static struct vault_key *key_of(const char *text)
{
	_cleanup_(str_done) struct str error = {};
	struct vault_key *k = NULL;

	assert_int_equal(vault_key_load(&(struct vault_key_settings){ .given = text }, false, &k, &error), 0);
	return k;
}

static void expect_error(const struct str *error, const char *part)
{
	if (!strstr(str_text(error), part))
		fail_msg("\"%s\" is not in: %s", part, str_text(error));
}

static void seals_and_opens(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 100000, LIMIT_SEALED };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		_cleanup_(freep) char *text = must(calloc(1, sizes[i] + 1));
		_cleanup_(str_done) struct str sealed = {}, again = {}, opened = {};

		memset(text, 'x', sizes[i]);
		assert_int_equal(sealed_seal(k, &about, text, sizes[i], &sealed), 0);
		assert_int_equal(sealed_seal(k, &about, text, sizes[i], &again), 0);
		assert_true(sealed.len == again.len && memcmp(sealed.data, again.data, sealed.len) != 0);
		assert_true(sizes[i] < 15 || !memmem(sealed.data, sealed.len, text, 15));
		assert_int_equal(sealed_open(k, &about, sealed.data, sealed.len, &opened), 0);
		assert_true(opened.len == sizes[i] && memcmp(opened.data, text, opened.len) == 0);
	}
}

static void more_than_the_limit_is_not_sealed(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(freep) char *text = must(calloc(1, LIMIT_SEALED + 1));
	_cleanup_(str_done) struct str sealed = {};

	assert_int_equal(sealed_seal(k, &about, text, LIMIT_SEALED + 1, &sealed), -EFBIG);
	assert_int_equal(sealed.len, 0);
}

static void opens_what_another_program_sealed(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(str_done) struct str sealed = {}, opened = {};

	for (const char *c = elsewhere; *c; c += 2)
		str_append_char(&sealed, (char)(hex_digit(c[0]) << 4 | hex_digit(c[1])));
	assert_int_equal(sealed_open(k, &about, sealed.data, sealed.len, &opened), 0);
	assert_string_equal(opened.data, TEXT);
}

static int open_changed(const struct vault_key *k, const struct str *sealed, size_t at, unsigned char bit)
{
	_cleanup_(freep) char *copy = must(malloc(sealed->len));
	_cleanup_(str_done) struct str opened = {};
	int r;

	memcpy(copy, sealed->data, sealed->len);
	copy[at] = (char)(copy[at] ^ bit);
	r = sealed_open(k, &about, copy, sealed->len, &opened);
	assert_int_equal(opened.len, 0);
	return r;
}

static void every_changed_bit_is_found(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(str_done) struct str sealed = {};

	assert_int_equal(sealed_seal(k, &about, TEXT, strlen(TEXT), &sealed), 0);
	for (size_t i = 0; i < sealed.len; i++) {
		for (unsigned bit = 1; bit < 256; bit <<= 1) {
			int r = open_changed(k, &sealed, i, (unsigned char)bit);

			assert_true(r < 0);
			if (i < 8)
				assert_int_equal(r, -EINVAL);
			else if (i < 12)
				assert_int_equal(r, -ENOTSUP);
			else if (i < 20)
				assert_int_equal(r, -ENOKEY);
			else if (i < 32 || i >= HEADER_SIZE)
				assert_int_equal(r, -EBADMSG);
		}
	}
}

static void every_other_length_is_found(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(str_done) struct str sealed = {}, opened = {};

	assert_int_equal(sealed_seal(k, &about, TEXT, strlen(TEXT), &sealed), 0);
	for (size_t len = 0; len < sealed.len; len++)
		assert_int_equal(sealed_open(k, &about, sealed.data, len, &opened), len < 8 ? -EINVAL : -ENODATA);
	str_append_char(&sealed, '\0');
	assert_int_equal(sealed_open(k, &about, sealed.data, sealed.len, &opened), -EOVERFLOW);
}

static void opens_only_for_what_it_is_about(void **state)
{
	static const struct sealed_about others[] = {
		{ "vault", "ann", "shop" }, { "state", "bob", "shop" }, { "state", "", "shop" },    { "state", "ann", "bank" },
		{ "state", "an", "nshop" }, { "state", "annshop", "" }, { "stateann", "", "shop" },
	};
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(str_done) struct str sealed = {}, opened = {};

	assert_int_equal(sealed_seal(k, &about, TEXT, strlen(TEXT), &sealed), 0);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		assert_int_equal(sealed_open(k, &others[i], sealed.data, sealed.len, &opened), -EBADMSG);
}

static void another_key_is_named(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY), *other = key_of(OTHER_KEY);
	_cleanup_(str_done) struct str opened = {}, id = {}, error = {};

	assert_int_equal(sealed_write(NULL, k, &about, in_folder("shop"), TEXT, strlen(TEXT), &error), 0);
	assert_int_equal(sealed_read(NULL, other, &about, in_folder("shop"), &opened, &error), -ENOKEY);
	vault_key_append_id(k->id, &id);
	expect_error(&error, id.data);
	expect_error(&error, folder);
	assert_null(strstr(error.data, TEXT));
}

static void expect_file(const char *name, mode_t mode)
{
	struct stat st;

	assert_int_equal(lstat(in_folder(name), &st), 0);
	assert_true(S_ISREG(st.st_mode));
	assert_int_equal(st.st_mode & 07777, mode);
}

static void a_file_is_replaced_as_a_whole(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = key_of(KEY);
	_cleanup_(str_done) struct str opened = {}, error = {}, list = {};

	assert_int_equal(sealed_write(NULL, k, &about, in_folder("shop"), TEXT, strlen(TEXT), &error), 0);
	expect_file("shop", 0600);
	assert_int_equal(sealed_write(NULL, k, &about, in_folder("shop"), "new", 3, &error), 0);
	assert_int_equal(sealed_read(NULL, k, &about, in_folder("shop"), &opened, &error), 0);
	assert_string_equal(opened.data, "new");
	str_appendf(&list, "test \"$(ls -A %s)\" = shop", folder);
	assert_int_equal(system(list.data), 0);
	assert_int_equal(private_remove(in_folder("shop"), &error), 0);
	assert_int_equal(private_remove(in_folder("shop"), &error), -ENOENT);
	assert_int_equal(error.len, 0);
	assert_int_equal(sealed_read(NULL, k, &about, in_folder("shop"), &opened, &error), -ENOENT);
}

static void links_are_neither_read_nor_written_through(void **state)
{
	_cleanup_(str_done) struct str text = {}, error = {};
	char target[256];

	strcpy(target, in_folder("target"));
	assert_int_equal(private_write(NULL, target, "old", 3, &error), 0);
	assert_int_equal(symlink(target, in_folder("link")), 0);
	assert_int_equal(private_read(NULL, in_folder("link"), 100, PRIVATE_ANYONE_READS, &text, &error), -ELOOP);
	expect_error(&error, "symbolic link");
	str_reset(&error);
	assert_int_equal(private_write_new(in_folder("link"), "new", 3, &error), -EEXIST);
	assert_int_equal(private_write(NULL, in_folder("link"), "new", 3, &error), 0); /* takes the place of the link */
	assert_int_equal(private_read(NULL, target, 100, PRIVATE_OWNER_READS, &text, &error), 0);
	assert_string_equal(text.data, "old");
}

static void pipes_and_directories_are_refused(void **state)
{
	_cleanup_(str_done) struct str text = {}, error = {};

	assert_int_equal(mkfifo(in_folder("pipe"), 0600), 0);
	assert_int_equal(mkdir(in_folder("directory"), 0700), 0);
	assert_int_equal(private_read(NULL, in_folder("pipe"), 100, PRIVATE_ANYONE_READS, &text, &error), -EINVAL);
	assert_int_equal(private_read(NULL, in_folder("directory"), 100, PRIVATE_ANYONE_READS, &text, &error), -EINVAL);
	expect_error(&error, "not a regular file");
}

/* A call that writes a document and reads it again. */
struct sealing {
	struct vault_key *key;
	struct str text, opened, error;
	int result;
	bool over;
};

static int write_and_read(struct task *t, void *data)
{
	struct sealing *s = data;
	int r = sealed_write(t, s->key, &about, in_folder("large"), s->text.data, s->text.len, &s->error);

	return r < 0 ? r : sealed_read(t, s->key, &about, in_folder("large"), &s->opened, &s->error);
}

static void on_over(struct task *t, int result, void *data)
{
	struct sealing *s = data;

	s->result = result;
	s->over = true;
}

/* Runs the call, which is cancelled in the round `cancelled`, and returns the rounds that it took. */
static unsigned run_sealing(struct sealing *s, unsigned cancelled)
{
	struct loop *l = NULL;
	struct task *t = NULL;
	unsigned rounds = 0;

	s->key = key_of(KEY);
	str_reserve(&s->text, LIMIT_SEALED);
	memset(s->text.data, 'x', LIMIT_SEALED);
	s->text.len = LIMIT_SEALED;
	assert_int_equal(loop_new(&l), 0);
	assert_int_equal(task_start(l, "sealing", write_and_read, on_over, s, &t), 0);
	for (; !s->over; rounds++) {
		if (rounds == cancelled)
			task_cancel(t, -ECANCELED, "given up");
		assert_int_equal(loop_step(l), 0);
	}
	loop_free(l);
	vault_key_free(s->key);
	return rounds;
}

static void sealing_done(struct sealing *s)
{
	str_done(&s->text);
	str_done(&s->opened);
	str_done(&s->error);
}

static void a_task_writes_and_reads_in_parts(void **state)
{
	_cleanup_(sealing_done) struct sealing s = {};

	assert_true(run_sealing(&s, UINT_MAX) > 32);
	assert_int_equal(s.result, 0);
	assert_true(s.opened.len == s.text.len && memcmp(s.opened.data, s.text.data, s.text.len) == 0);
}

static void a_cancelled_task_leaves_nothing(void **state)
{
	_cleanup_(sealing_done) struct sealing s = {};
	_cleanup_(str_done) struct str list = {};

	run_sealing(&s, 5);
	assert_int_equal(s.result, -ECANCELED);
	str_appendf(&list, "test -z \"$(ls -A %s)\"", folder);
	assert_int_equal(system(list.data), 0);
}

static void expect_refused(int r, struct str *error, const char *part)
{
	assert_int_equal(r, -EPERM);
	expect_error(error, part);
	expect_error(error, folder);
	str_reset(error);
}

static void what_others_can_change_is_refused(void **state)
{
	_cleanup_(str_done) struct str text = {}, error = {};

	assert_int_equal(private_write(NULL, in_folder("file"), TEXT, strlen(TEXT), &error), 0);
	chmod(in_folder("file"), 0644);
	assert_int_equal(private_read(NULL, in_folder("file"), 100, PRIVATE_ANYONE_READS, &text, &error), 0);
	expect_refused(private_read(NULL, in_folder("file"), 100, PRIVATE_OWNER_READS, &text, &error), &error,
		       "can be read by other users (mode 0644)");
	chmod(in_folder("file"), 0620);
	expect_refused(private_read(NULL, in_folder("file"), 100, PRIVATE_ANYONE_READS, &text, &error), &error,
		       "can be written by other users");
	chmod(in_folder("file"), 0600);
	chmod(folder, 01777);
	expect_refused(private_read(NULL, in_folder("file"), 100, PRIVATE_ANYONE_READS, &text, &error), &error,
		       "can be written by other users");
	expect_refused(private_write(NULL, in_folder("file"), "new", 3, &error), &error, "can be written by other users");
	expect_refused(private_remove(in_folder("file"), &error), &error, "can be written by other users");
	expect_refused(private_directory_make(folder, &error), &error, "chmod go-w");
}

static void what_belongs_to_others_is_refused(void **state)
{
	_cleanup_(str_done) struct str text = {}, error = {};

	if (geteuid() != 0)
		skip(); /* only root can give files to others */
	assert_int_equal(private_write(NULL, in_folder("file"), TEXT, strlen(TEXT), &error), 0);
	assert_int_equal(chown(in_folder("file"), 12345, 12345), 0);
	expect_refused(private_read(NULL, in_folder("file"), 100, PRIVATE_ANYONE_READS, &text, &error), &error,
		       "belongs to user 12345");
	assert_int_equal(chown(folder, 12345, 12345), 0);
	expect_refused(private_write(NULL, in_folder("file"), "new", 3, &error), &error, "belongs to user 12345");
	expect_refused(private_directory_make(folder, &error), &error, "belongs to user 12345");
}

static void a_key_file_is_made_once(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *made = NULL, *read = NULL, *other = NULL;
	_cleanup_(str_done) struct str error = {};
	struct vault_key_settings s = { .path = in_folder("state/browserd/key") };
	_cleanup_(freep) char *path = must(strdup(s.path));

	s.path = path;
	assert_int_equal(vault_key_load(&s, false, &made, &error), -ENOENT);
	expect_error(&error, folder);
	assert_int_equal(vault_key_load(&s, true, &made, &error), 0);
	expect_file("state/browserd/key", 0600);
	assert_int_equal(vault_key_load(&s, true, &read, &error), 0);
	assert_memory_equal(made, read, sizeof(*made));
	s.path = in_folder("other");
	assert_int_equal(vault_key_load(&s, true, &other, &error), 0);
	assert_memory_not_equal(made->bytes, other->bytes, VAULT_KEY_SIZE);
	assert_memory_not_equal(made->id, other->id, VAULT_KEY_ID_SIZE);
}

static int load_key_text(const char *text, mode_t mode, struct str *error)
{
	_cleanup_(vault_key_freep) struct vault_key *k = NULL;

	str_reset(error);
	assert_int_equal(private_write(NULL, in_folder("key"), text, strlen(text), error), 0);
	chmod(in_folder("key"), mode);
	return vault_key_load(&(struct vault_key_settings){ .path = in_folder("key") }, true, &k, error);
}

static void a_key_file_must_be_one(void **state)
{
	_cleanup_(str_done) struct str error = {};

	assert_int_equal(load_key_text(KEY "\n", 0600, &error), 0);
	assert_int_equal(load_key_text(KEY "\r\n", 0400, &error), 0);
	assert_int_equal(load_key_text(KEY, 0640, &error), -EPERM);
	expect_error(&error, "can be read by other users");
	assert_int_equal(load_key_text("", 0600, &error), -EINVAL);
	expect_error(&error, "openssl rand -base64 32");
	assert_int_equal(load_key_text("c2hvcnQ=", 0600, &error), -EINVAL);
	assert_int_equal(load_key_text(KEY KEY, 0600, &error), -EINVAL);
	assert_int_equal(load_key_text("correct horse battery staple", 0600, &error), -EINVAL);
	assert_null(strstr(error.data, "horse"));
}

static void a_given_key_comes_first(void **state)
{
	_cleanup_(vault_key_freep) struct vault_key *k = NULL;
	_cleanup_(str_done) struct str error = {};
	struct vault_key_settings s = { .given = KEY, .path = in_folder("key") };

	assert_int_equal(vault_key_load(&s, true, &k, &error), 0);
	assert_true(k->bytes[0] == 0 && k->bytes[31] == 31);
	assert_int_equal(access(s.path, F_OK), -1);
	k = vault_key_free(k);
	s.given = "a passphrase";
	assert_int_equal(vault_key_load(&s, true, &k, &error), -EINVAL);
	expect_error(&error, VAULT_KEY_VARIABLE);
	assert_null(strstr(error.data, "passphrase"));
	str_reset(&error);
	assert_int_equal(vault_key_load(&(struct vault_key_settings){}, true, &k, &error), -ENOENT);
	expect_error(&error, VAULT_KEY_VARIABLE);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seals_and_opens),
		cmocka_unit_test(more_than_the_limit_is_not_sealed),
		cmocka_unit_test(opens_what_another_program_sealed),
		cmocka_unit_test(every_changed_bit_is_found),
		cmocka_unit_test(every_other_length_is_found),
		cmocka_unit_test(opens_only_for_what_it_is_about),
		IN_FOLDER(another_key_is_named),
		IN_FOLDER(a_file_is_replaced_as_a_whole),
		IN_FOLDER(a_task_writes_and_reads_in_parts),
		IN_FOLDER(a_cancelled_task_leaves_nothing),
		IN_FOLDER(links_are_neither_read_nor_written_through),
		IN_FOLDER(pipes_and_directories_are_refused),
		IN_FOLDER(what_others_can_change_is_refused),
		IN_FOLDER(what_belongs_to_others_is_refused),
		IN_FOLDER(a_key_file_is_made_once),
		IN_FOLDER(a_key_file_must_be_one),
		IN_FOLDER(a_given_key_comes_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
