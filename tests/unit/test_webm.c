#include "test.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "browser/webm.h"

static void put(struct str *out, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		str_append_char(out, (char)(v >> 8 * bytes));
}

static void box(struct str *out, const char *type, const struct str *contents)
{
	put(out, 8 + contents->len, 4);
	str_append_len(out, type, 4);
	str_append_len(out, str_text(contents), contents->len);
}

/* Wraps `contents` in boxes, the innermost first. */
static void wrap(struct str *contents, const char *const *types)
{
	for (; *types; types++) {
		struct str outer = {};

		box(&outer, *types, contents);
		str_move(contents, &outer);
	}
}

/* The head of a recording of `codec` with 1000 units of time in a second. */
static void put_movie(struct str *out, const char *codec)
{
	struct str entry = {}, list = {}, media = {}, head = {};

	for (int i = 0; i < 24; i++)
		put(&entry, 0, 1);
	put(&entry, 320, 2);
	put(&entry, 200, 2);
	for (int i = 28; i < 78; i++)
		put(&entry, 0, 1);
	put(&list, 0, 4);
	put(&list, 1, 4);
	box(&list, codec, &entry);
	wrap(&list, (const char *const[]){ "stsd", "stbl", "minf", NULL });
	put(&head, 0, 4);
	put(&head, 0, 8);
	put(&head, 1000, 4);
	put(&head, 0, 8);
	box(&media, "mdhd", &head);
	str_append_len(&media, list.data, list.len);
	wrap(&media, (const char *const[]){ "mdia", "trak", "moov", NULL });
	str_append_len(out, media.data, media.len);
	str_done(&entry);
	str_done(&list);
	str_done(&media);
	str_done(&head);
}

/* Two frames of these sizes that begin at `time`. */
static void put_fragment(struct str *out, unsigned time, unsigned first, unsigned second)
{
	struct str traf = {}, part = {};

	put(&part, 0x20, 4); /* tfhd: default flags */
	put(&part, 1, 4);
	put(&part, 0x10000, 4);
	box(&traf, "tfhd", &part);
	str_reset(&part);
	put(&part, 0, 4);
	put(&part, time, 4);
	box(&traf, "tfdt", &part);
	str_reset(&part);
	put(&part, 0x304, 4); /* trun: flags of the first frame, durations, sizes */
	put(&part, 2, 4);
	put(&part, 0, 4);
	put(&part, 40, 4);
	put(&part, first, 4);
	put(&part, 40, 4);
	put(&part, second, 4);
	box(&traf, "trun", &part);
	wrap(&traf, (const char *const[]){ "traf", "moof", NULL });
	str_append_len(out, traf.data, traf.len);
	str_reset(&part);
	for (unsigned i = 0; i < 5; i++)
		str_append_char(&part, 'f');
	box(out, "mdat", &part);
	str_done(&traf);
	str_done(&part);
}

/* Feeds the text in pieces; the result of the first failure, and the file. */
static int convert(const struct str *in, size_t piece, struct str *out)
{
	char path[] = "/tmp/webm-XXXXXX";
	int fd = mkstemp(path), r = 0;
	struct webm *w = webm_new(fd);

	unlink(path);
	for (size_t at = 0; at < in->len && r == 0; at += piece)
		r = webm_feed(w, (const uint8_t *)in->data + at, MIN(piece, in->len - at));
	if (r == 0)
		r = webm_end(w);
	webm_free(w);
	lseek(fd, 0, SEEK_SET);
	assert_int_equal(file_read_from(fd, 1 << 20, out), 0);
	close(fd);
	return r;
}

static bool has(const struct str *text, const char *part, size_t len)
{
	return memmem(text->data, text->len, part, len) != NULL;
}

static void frames_arrive_whatever_the_pieces(void **state)
{
	_cleanup_(str_done) struct str in = {}, whole = {};

	put_movie(&in, "vp09");
	put_fragment(&in, 0, 2, 3);
	put_fragment(&in, 100, 4, 1);
	assert_int_equal(convert(&in, in.len, &whole), 0);
	assert_memory_equal(whole.data, "\x1a\x45\xdf\xa3", 4);
	assert_true(has(&whole, "V_VP9", 5));
	assert_true(has(&whole,
			"\xa3\x01\0\0\0\0\0\0\x06\x81\0\0\x80"
			"ff",
			15)); /* the first frame, a key frame */
	assert_true(has(&whole,
			"\xa3\x01\0\0\0\0\0\0\x07\x81\0\x28\0"
			"fff",
			16));                                                               /* the second, 40 ms later */
	assert_true(has(&whole, "\xe7\x01\0\0\0\0\0\0\x01\x64", 10));                       /* the second cluster at 100 ms */
	assert_true(has(&whole, "\x44\x89\x01\0\0\0\0\0\0\x08\x40\x66\x80\0\0\0\0\0", 18)); /* it ends at 180 ms */
	for (size_t piece = 1; piece < 40; piece += 7) {
		_cleanup_(str_done) struct str again = {};

		assert_int_equal(convert(&in, piece, &again), 0);
		assert_int_equal(again.len, whole.len);
		assert_memory_equal(again.data, whole.data, whole.len);
	}
}

static void webm_is_copied(void **state)
{
	_cleanup_(str_done) struct str in = {}, out = {};

	str_append_len(&in, "\x1a\x45\xdf\xa3 and more", 13);
	assert_int_equal(convert(&in, 3, &out), 0);
	assert_int_equal(out.len, in.len);
	assert_memory_equal(out.data, in.data, in.len);
}

static void what_is_wrong_is_refused(void **state)
{
	_cleanup_(str_done) struct str unknown = {}, lies = {}, early = {}, tiny = {}, huge = {}, out = {};

	put_movie(&unknown, "xxxx");
	assert_int_equal(convert(&unknown, 100, &out), -EPROTO);
	put_movie(&lies, "vp09");
	put_fragment(&lies, 0, 2, 300); /* more than there is */
	assert_int_equal(convert(&lies, 100, &out), -EPROTO);
	put_fragment(&early, 0, 1, 1);
	assert_int_equal(convert(&early, 100, &out), -EPROTO);
	put(&tiny, 3, 4);
	str_append(&tiny, "moov");
	assert_int_equal(convert(&tiny, 100, &out), -EPROTO);
	put(&huge, 0xfffffff0, 4);
	str_append(&huge, "mdat");
	assert_int_equal(convert(&huge, 100, &out), -EFBIG);
}

/* A recording that ends anywhere, or has any byte changed, never makes it read or write past its data. */
static void any_damage_is_survived(void **state)
{
	_cleanup_(str_done) struct str in = {};

	put_movie(&in, "vp09");
	put_fragment(&in, 0, 2, 3);
	for (size_t at = 0; at < in.len; at++) {
		_cleanup_(str_done) struct str damaged = {}, out = {};

		str_append_len(&damaged, in.data, in.len);
		damaged.data[at] = (char)0xff;
		convert(&damaged, 64, &out);
		damaged.len = at;
		str_reset(&out);
		convert(&damaged, 64, &out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frames_arrive_whatever_the_pieces),
		cmocka_unit_test(webm_is_copied),
		cmocka_unit_test(what_is_wrong_is_refused),
		cmocka_unit_test(any_damage_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
