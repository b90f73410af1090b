#include "browser/webm.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"

#define BOX_HEAD 8             /* size and type, 14496-12, 4.2 */
#define BOX_LONG_HEAD 16       /* with a size of 64 bits */
#define SAMPLE_ENTRY 78        /* VisualSampleEntry in front of its boxes, 14496-12, 12.1.3 */
#define NOT_SYNC 0x10000u      /* sample_is_non_sync_sample, 14496-12, 8.8.3.1 */
#define CLUSTER_TIME_MAX 30000 /* ms; times of blocks in a cluster are signed 16 bits, RFC 9559, 10.2 */
#define TRACK 1

/* Element ids, RFC 9559, 5. */
enum element {
	EBML = 0x1A45DFA3,
	EBML_VERSION = 0x4286,
	EBML_READ_VERSION = 0x42F7,
	EBML_MAX_ID = 0x42F2,
	EBML_MAX_SIZE = 0x42F3,
	DOC_TYPE = 0x4282,
	DOC_TYPE_VERSION = 0x4287,
	DOC_TYPE_READ_VERSION = 0x4285,
	VOID = 0xEC,
	SEGMENT = 0x18538067,
	SEEK_HEAD = 0x114D9B74,
	SEEK = 0x4DBB,
	SEEK_ID = 0x53AB,
	SEEK_POSITION = 0x53AC,
	INFO = 0x1549A966,
	TIMESTAMP_SCALE = 0x2AD7B1,
	DURATION = 0x4489,
	MUXING_APP = 0x4D80,
	WRITING_APP = 0x5741,
	TRACKS = 0x1654AE6B,
	TRACK_ENTRY = 0xAE,
	TRACK_NUMBER = 0xD7,
	TRACK_UID = 0x73C5,
	TRACK_TYPE = 0x83,
	FLAG_LACING = 0x9C,
	CODEC_ID = 0x86,
	CODEC_PRIVATE = 0x63A2,
	VIDEO = 0xE0,
	PIXEL_WIDTH = 0xB0,
	PIXEL_HEIGHT = 0xBA,
	CLUSTER = 0x1F43B675,
	TIMESTAMP = 0xE7,
	SIMPLE_BLOCK = 0xA3,
	CUES = 0x1C53BB6B,
	CUE_POINT = 0xBB,
	CUE_TIME = 0xB3,
	CUE_TRACK_POSITIONS = 0xB7,
	CUE_TRACK = 0xF7,
	CUE_CLUSTER_POSITION = 0xF1,
};

/* A part of the recording. */
struct bytes {
	const uint8_t *at;
	size_t len;
};

struct cue {
	uint64_t time, position;
};

enum webm_state { WEBM_BEGINS, WEBM_CONVERTS, WEBM_COPIES };

struct webm {
	int fd;
	enum webm_state state;
	struct str pending; /* bytes of a box that is not complete yet */
	uint32_t timescale; /* units of a second in the recording */
	bool has_track;
	uint64_t written, segment, duration_at; /* offsets in the file; segment: of its first element */
	uint64_t end;                           /* ms */
	struct str fragment;                    /* the last moof */
	struct str cues;                        /* of struct cue */
};

/* ---- reading boxes ---- */

static uint64_t be(const uint8_t *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | *p++;
	return v;
}

/* Reads a number from the front of `b`. 0 when it has ended, which callers notice by its length. */
static uint64_t webm_take(struct bytes *b, unsigned bytes)
{
	uint64_t v;

	if (b->len < bytes) {
		b->len = 0;
		return 0;
	}
	v = be(b->at, bytes);
	b->at += bytes;
	b->len -= bytes;
	return v;
}

static void webm_skip(struct bytes *b, size_t bytes)
{
	bytes = MIN(bytes, b->len);
	b->at += bytes;
	b->len -= bytes;
}

/* The size of the box at the front, with its head; 0: more bytes are needed to know it. */
static uint64_t box_size(struct bytes b, size_t *ret_head)
{
	uint64_t size = b.len < BOX_HEAD ? 0 : be(b.at, 4);

	*ret_head = BOX_HEAD;
	if (size != 1)
		return size;
	*ret_head = BOX_LONG_HEAD;
	return b.len < BOX_LONG_HEAD ? 0 : be(b.at + 8, 8);
}

/* The contents of the first box of the type in `in`; `at` is NULL if no box has the type. */
static struct bytes find_box(struct bytes in, const char *type)
{
	size_t head;
	uint64_t size;

	while ((size = box_size(in, &head)) >= head && size <= in.len) {
		if (memcmp(in.at + 4, type, 4) == 0)
			return (struct bytes){ in.at + head, (size_t)size - head };
		webm_skip(&in, (size_t)size);
	}
	return (struct bytes){};
}

static struct bytes find_path(struct bytes in, const char *const *path)
{
	for (; *path && in.at; path++)
		in = find_box(in, *path);
	return in;
}
#define PATH(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* ---- writing elements ---- */

static void put_number(struct str *out, uint64_t v, unsigned bytes)
{
	while (bytes-- > 0)
		str_append_char(out, (char)(v >> 8 * bytes));
}

static unsigned webm_bytes_of(uint64_t v)
{
	unsigned n = 1;

	while (n < 8 && v >> 8 * n)
		n++;
	return n;
}

static void put_head(struct str *out, enum element id, uint64_t size)
{
	put_number(out, id, webm_bytes_of(id));
	put_number(out, size | 1ull << 56, 8); /* a size of eight bytes, RFC 8794, 4 */
}

static void put_uint(struct str *out, enum element id, uint64_t v)
{
	put_head(out, id, webm_bytes_of(v));
	put_number(out, v, webm_bytes_of(v));
}

static void put_bytes(struct str *out, enum element id, const void *data, size_t len)
{
	put_head(out, id, len);
	str_append_len(out, data, len);
}

static void put_text(struct str *out, enum element id, const char *text)
{
	put_bytes(out, id, text, strlen(text));
}

static void put_float(struct str *out, enum element id, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof bits);
	put_head(out, id, sizeof bits);
	put_number(out, bits, sizeof bits);
}

static void put_parent(struct str *out, enum element id, const struct str *children)
{
	put_bytes(out, id, str_text(children), children->len);
}

static int webm_write_out(struct webm *w, const void *data, size_t len)
{
	int r = file_write_all(w->fd, data, len);

	if (r == 0)
		w->written += len;
	return r;
}

static int patch(struct webm *w, uint64_t at, const struct str *bytes)
{
	ssize_t n = pwrite(w->fd, str_text(bytes), bytes->len, (off_t)at);

	return n == (ssize_t)bytes->len ? 0 : n < 0 ? -errno : -EIO;
}

/* ---- the head of the file ---- */

static const struct codec {
	const char type[5], *id, *configuration; /* type of the sample entry; the box with CodecPrivate, NULL: none */
} codec_table[] = {
	{ "av01", "V_AV1", "av1C" },
	{ "vp09", "V_VP9", NULL },
	{ "vp08", "V_VP8", NULL },
	{ "avc1", "V_MPEG4/ISO/AVC", "avcC" },
};

static void put_track(struct str *out, const struct codec *codec, struct bytes entry)
{
	_cleanup_(str_done) struct str track = {}, video = {};
	struct bytes boxes = { entry.at + SAMPLE_ENTRY, entry.len - SAMPLE_ENTRY };
	struct bytes configuration = codec->configuration ? find_box(boxes, codec->configuration) : (struct bytes){};

	put_uint(&video, PIXEL_WIDTH, be(entry.at + 24, 2));
	put_uint(&video, PIXEL_HEIGHT, be(entry.at + 26, 2));
	put_uint(&track, TRACK_NUMBER, TRACK);
	put_uint(&track, TRACK_UID, TRACK);
	put_uint(&track, TRACK_TYPE, 1);
	put_uint(&track, FLAG_LACING, 0);
	put_text(&track, CODEC_ID, codec->id);
	if (configuration.at)
		put_bytes(&track, CODEC_PRIVATE, configuration.at, configuration.len);
	put_parent(&track, VIDEO, &video);
	str_reset(&video);
	put_parent(&video, TRACK_ENTRY, &track);
	put_parent(out, TRACKS, &video);
}

static void put_ebml(struct str *out)
{
	_cleanup_(str_done) struct str head = {};

	put_uint(&head, EBML_VERSION, 1);
	put_uint(&head, EBML_READ_VERSION, 1);
	put_uint(&head, EBML_MAX_ID, 4);
	put_uint(&head, EBML_MAX_SIZE, 8);
	put_text(&head, DOC_TYPE, "webm");
	put_uint(&head, DOC_TYPE_VERSION, 4);
	put_uint(&head, DOC_TYPE_READ_VERSION, 2);
	put_parent(out, EBML, &head);
}

/* The place of the index, or as many bytes without a meaning before it is known. */
static void put_seek_head(struct str *out, uint64_t position)
{
	_cleanup_(str_done) struct str seek = {}, entry = {};
	static const char cues_id[] = { 0x1C, 0x53, (char)0xBB, 0x6B };

	put_bytes(&entry, SEEK_ID, cues_id, sizeof cues_id);
	put_head(&entry, SEEK_POSITION, 8);
	put_number(&entry, position, 8);
	put_parent(&seek, SEEK, &entry);
	if (position)
		put_parent(out, SEEK_HEAD, &seek);
	else {
		size_t whole = 4 + 8 + seek.len; /* an element of the same size: the id of VOID is three bytes shorter */

		put_head(out, VOID, whole - 9);
		for (size_t i = 9; i < whole; i++)
			str_append_char(out, '\0');
	}
}

static int write_head(struct webm *w, const struct codec *codec, struct bytes entry)
{
	_cleanup_(str_done) struct str head = {}, info = {};

	put_ebml(&head);
	put_number(&head, SEGMENT, 4);
	put_number(&head, 0x01FFFFFFFFFFFFFFull, 8); /* an unknown size until webm_end() */
	w->segment = w->written + head.len;
	put_seek_head(&head, 0);
	put_uint(&info, TIMESTAMP_SCALE, 1000000);
	put_text(&info, MUXING_APP, "browserd");
	put_text(&info, WRITING_APP, "browserd");
	put_float(&info, DURATION, 0);
	put_parent(&head, INFO, &info);
	w->duration_at = w->written + head.len - sizeof(double);
	put_track(&head, codec, entry);
	return webm_write_out(w, head.data, head.len);
}

/* The box `moov`: the timescale, the size of pictures, the codec. */
static int take_movie(struct webm *w, struct bytes moov)
{
	struct bytes media = find_path(moov, PATH("trak", "mdia"));
	struct bytes head = find_box(media, "mdhd");
	struct bytes entries = find_path(media, PATH("minf", "stbl", "stsd"));
	bool is_long = head.len > 0 && head.at[0] == 1;

	webm_skip(&head, is_long ? 20 : 12); /* version, flags and two times */
	w->timescale = (uint32_t)webm_take(&head, 4);
	webm_skip(&entries, 8);
	for (size_t i = 0; i < ARRAY_SIZE(codec_table); i++) {
		struct bytes entry = find_box(entries, codec_table[i].type);

		if (entry.at && entry.len >= SAMPLE_ENTRY && w->timescale > 0) {
			w->has_track = true;
			return write_head(w, &codec_table[i], entry);
		}
	}
	return -EPROTO;
}

/* ---- frames ---- */

/* The samples of a fragment: tables of `trun` with defaults of `tfhd`, 14496-12, 8.8.7 and 8.8.8. */
struct run {
	struct bytes rows;
	uint32_t flags, count, first_flags;
	uint32_t duration, size, sample_flags; /* defaults */
	uint64_t time;                         /* of the next sample, in units of the timescale */
};

struct sample {
	uint64_t time;
	uint32_t size, flags;
};

static void read_defaults(struct run *run, struct bytes head)
{
	uint32_t flags = (uint32_t)webm_take(&head, 4) & 0xffffff;

	webm_skip(&head, 4); /* the track */
	webm_skip(&head, (flags & 1 ? 8u : 0) + (flags & 2 ? 4u : 0));
	run->duration = flags & 8 ? (uint32_t)webm_take(&head, 4) : 0;
	run->size = flags & 0x10 ? (uint32_t)webm_take(&head, 4) : 0;
	run->sample_flags = flags & 0x20 ? (uint32_t)webm_take(&head, 4) : 0;
}

static bool read_run(struct bytes moof, struct run *ret)
{
	struct bytes traf = find_box(moof, "traf");
	struct bytes time = find_box(traf, "tfdt"), rows = find_box(traf, "trun");
	bool is_long = time.len > 0 && time.at[0] == 1;

	if (!time.at || !rows.at)
		return false;
	*ret = (struct run){};
	read_defaults(ret, find_box(traf, "tfhd"));
	webm_skip(&time, 4);
	ret->time = webm_take(&time, is_long ? 8 : 4);
	ret->flags = (uint32_t)webm_take(&rows, 4) & 0xffffff;
	ret->count = (uint32_t)webm_take(&rows, 4);
	webm_skip(&rows, ret->flags & 1 ? 4 : 0);
	ret->first_flags = ret->flags & 4 ? (uint32_t)webm_take(&rows, 4) : ret->sample_flags;
	ret->rows = rows;
	return true;
}

static struct sample next_sample(struct run *run, bool is_first)
{
	struct sample s = { .time = run->time, .size = run->size, .flags = is_first ? run->first_flags : run->sample_flags };
	uint32_t duration = run->duration;

	if (run->flags & 0x100)
		duration = (uint32_t)webm_take(&run->rows, 4);
	if (run->flags & 0x200)
		s.size = (uint32_t)webm_take(&run->rows, 4);
	if (run->flags & 0x400)
		s.flags = (uint32_t)webm_take(&run->rows, 4);
	if (run->flags & 0x800)
		webm_skip(&run->rows, 4);
	run->time += duration;
	return s;
}

static uint64_t in_ms(const struct webm *w, uint64_t time)
{
	return (uint64_t)((double)time * 1000 / w->timescale);
}

static int write_cluster(struct webm *w, uint64_t time, struct str *blocks)
{
	_cleanup_(str_done) struct str cluster = {}, out = {};
	struct cue cue = { time, w->written - w->segment };

	if (!blocks->len)
		return 0;
	put_uint(&cluster, TIMESTAMP, time);
	str_append_len(&cluster, blocks->data, blocks->len);
	str_reset(blocks);
	put_parent(&out, CLUSTER, &cluster);
	str_append_len(&w->cues, (const char *)&cue, sizeof cue);
	return webm_write_out(w, out.data, out.len);
}

static void put_block(struct str *out, const struct sample *s, uint64_t offset, const uint8_t *data)
{
	put_head(out, SIMPLE_BLOCK, 4 + s->size);
	str_append_char(out, (char)(0x80 | TRACK));
	put_number(out, offset, 2);
	str_append_char(out, s->flags & NOT_SYNC ? 0 : (char)0x80);
	str_append_len(out, (const char *)data, s->size);
}

/* The box `mdat`: the frames that the last `moof` describes. */
static int take_frames(struct webm *w, struct bytes data)
{
	_cleanup_(str_done) struct str blocks = {};
	struct run run;
	uint64_t start = 0;
	int r = 0;

	if (!w->has_track || !read_run((struct bytes){ (const uint8_t *)str_text(&w->fragment), w->fragment.len }, &run))
		return -EPROTO;
	for (uint32_t i = 0; i < run.count && r == 0; i++) {
		struct sample s = next_sample(&run, i == 0);
		uint64_t at = in_ms(w, s.time);

		if (s.size == 0 || s.size > data.len)
			return -EPROTO;
		if (blocks.len && at - start > CLUSTER_TIME_MAX)
			r = write_cluster(w, start, &blocks);
		if (!blocks.len)
			start = at;
		put_block(&blocks, &s, at - start, data.at);
		webm_skip(&data, s.size);
		w->end = MAX(w->end, in_ms(w, run.time));
	}
	return r < 0 ? r : write_cluster(w, start, &blocks);
}

static int take_box(struct webm *w, const uint8_t *type, struct bytes contents)
{
	if (memcmp(type, "moov", 4) == 0)
		return take_movie(w, contents);
	if (memcmp(type, "moof", 4) == 0) {
		str_reset(&w->fragment);
		str_append_len(&w->fragment, (const char *)contents.at, contents.len);
	}
	return memcmp(type, "mdat", 4) == 0 ? take_frames(w, contents) : 0;
}

/* Handles the complete boxes of `pending`. */
static int take_boxes(struct webm *w)
{
	struct bytes rest = { (const uint8_t *)str_text(&w->pending), w->pending.len };
	uint64_t size;
	size_t head;
	int r = 0;

	while (r == 0 && (size = box_size(rest, &head)) > 0) {
		if (size < head || size > LIMIT_VIDEO_FRAGMENT)
			return size < head ? -EPROTO : -EFBIG;
		if (size > rest.len)
			break;
		r = take_box(w, rest.at + 4, (struct bytes){ rest.at + head, (size_t)size - head });
		webm_skip(&rest, (size_t)size);
	}
	if (rest.len && rest.len < w->pending.len)
		memmove(w->pending.data, rest.at, rest.len);
	str_truncate(&w->pending, rest.len);
	return r;
}

/* ---- */

struct webm *webm_new(int fd)
{
	struct webm *w = NEW(struct webm);

	w->fd = fd;
	return w;
}

struct webm *webm_free(struct webm *w)
{
	if (!w)
		return NULL;
	str_done(&w->pending);
	str_done(&w->fragment);
	str_done(&w->cues);
	free(w);
	return NULL;
}

int webm_feed(struct webm *w, const uint8_t *data, size_t len)
{
	if (w->state == WEBM_COPIES)
		return webm_write_out(w, data, len);
	str_append_len(&w->pending, (const char *)data, len);
	if (w->state == WEBM_BEGINS && w->pending.len < BOX_HEAD)
		return 0;
	if (w->state == WEBM_BEGINS && be((const uint8_t *)w->pending.data, 4) == EBML) {
		w->state = WEBM_COPIES;
		return webm_write_out(w, w->pending.data, w->pending.len);
	}
	w->state = WEBM_CONVERTS;
	return take_boxes(w);
}

static int write_index(struct webm *w)
{
	_cleanup_(str_done) struct str cues = {}, out = {};

	for (size_t at = 0; at < w->cues.len; at += sizeof(struct cue)) {
		_cleanup_(str_done) struct str point = {}, positions = {};
		struct cue cue;

		memcpy(&cue, w->cues.data + at, sizeof cue);
		put_uint(&positions, CUE_TRACK, TRACK);
		put_uint(&positions, CUE_CLUSTER_POSITION, cue.position);
		put_uint(&point, CUE_TIME, cue.time);
		put_parent(&point, CUE_TRACK_POSITIONS, &positions);
		put_parent(&cues, CUE_POINT, &point);
	}
	put_parent(&out, CUES, &cues);
	return webm_write_out(w, out.data, out.len);
}

int webm_end(struct webm *w)
{
	_cleanup_(str_done) struct str seek = {}, size = {}, duration = {};
	uint64_t index = w->written - w->segment;
	int r;

	if (w->state != WEBM_CONVERTS || !w->has_track || !w->cues.len)
		return 0;
	r = write_index(w);
	put_seek_head(&seek, index);
	put_number(&size, (w->written - w->segment) | 1ull << 56, 8);
	put_float(&duration, DURATION, (double)w->end);
	if (r == 0)
		r = patch(w, w->segment, &seek);
	if (r == 0)
		r = patch(w, w->segment - 8, &size);
	return r < 0 ? r : patch(w, w->duration_at - 10, &duration);
}
