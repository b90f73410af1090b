#include "trace/zip.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/file.h"
#include "base/str.h"

#define CHUNK (64u << 10)
#define CHUNKS_IN_A_ROW 4 /* a few milliseconds of compression */

enum { STORED = 0, DEFLATED = 8 };

/* Sections 4.3.7, 4.3.12, 4.3.16 of APPNOTE.TXT. */
#define LOCAL_HEADER 0x04034b50u
#define DIRECTORY_HEADER 0x02014b50u
#define DIRECTORY_END 0x06054b50u
#define VERSION_NEEDED 20
#define NAME_IS_UTF8 (1u << 11)
#define LOCAL_HEADER_SIZE 30

struct entry {
	const char *name;
	uint32_t offset, crc, size, packed_size;
	unsigned method;
};

struct zip {
	int fd;
	uint32_t offset;
	unsigned count;
	unsigned date, time; /* of MS-DOS */
	struct str directory;
	z_stream stream;
	unsigned char in[CHUNK], out[CHUNK];
};

/* Little-endian numbers. */
static void put16(struct str *s, unsigned n)
{
	str_append_len(s, (const char[]){ (char)n, (char)(n >> 8) }, 2);
}

static void put32(struct str *s, uint32_t n)
{
	put16(s, n & 0xffff);
	put16(s, n >> 16);
}

struct zip *zip_new(int fd, int64_t at)
{
	struct zip *z = NEW(struct zip);
	time_t seconds = (time_t)at;
	struct tm tm;

	gmtime_r(&seconds, &tm);
	z->fd = fd;
	z->date = (unsigned)((tm.tm_year - 80) << 9 | (tm.tm_mon + 1) << 5 | tm.tm_mday);
	z->time = (unsigned)(tm.tm_hour << 11 | tm.tm_min << 5 | tm.tm_sec / 2);
	must(deflateInit2(&z->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK ?
		     z :
		     NULL);
	return z;
}

struct zip *zip_free(struct zip *z)
{
	if (!z)
		return NULL;
	deflateEnd(&z->stream);
	str_done(&z->directory);
	free(z);
	return NULL;
}

/* What the header in front of a file and its entry in the directory have in common. */
static void zip_append_fields(const struct zip *z, const struct entry *e, struct str *out)
{
	put16(out, VERSION_NEEDED);
	put16(out, NAME_IS_UTF8);
	put16(out, e->method);
	put16(out, z->time);
	put16(out, z->date);
	put32(out, e->crc);
	put32(out, e->packed_size);
	put32(out, e->size);
	put16(out, (unsigned)strlen(e->name));
	put16(out, 0); /* extra field */
}

static int write_header(struct zip *z, const struct entry *e)
{
	_cleanup_(str_done) struct str header = {};

	put32(&header, LOCAL_HEADER);
	zip_append_fields(z, e, &header);
	str_append(&header, e->name);
	return pwrite(z->fd, header.data, header.len, e->offset) == (ssize_t)header.len ? 0 : -EIO;
}

static void append_to_directory(struct zip *z, const struct entry *e)
{
	put32(&z->directory, DIRECTORY_HEADER);
	put16(&z->directory, VERSION_NEEDED);
	zip_append_fields(z, e, &z->directory);
	put16(&z->directory, 0); /* comment */
	put16(&z->directory, 0); /* disk */
	put16(&z->directory, 0); /* internal attributes */
	put32(&z->directory, 0); /* external attributes */
	put32(&z->directory, e->offset);
	str_append(&z->directory, e->name);
	z->count++;
}

static int zip_write_bytes(struct zip *z, struct entry *e, const void *bytes, size_t len)
{
	e->packed_size += (uint32_t)len;
	return file_write_all(z->fd, bytes, len);
}

static int write_deflated(struct zip *z, struct entry *e, size_t len, bool last)
{
	int r = 0;

	z->stream.next_in = z->in;
	z->stream.avail_in = (unsigned)len;
	do {
		z->stream.next_out = z->out;
		z->stream.avail_out = CHUNK;
		deflate(&z->stream, last ? Z_FINISH : Z_NO_FLUSH);
		r = zip_write_bytes(z, e, z->out, CHUNK - z->stream.avail_out);
	} while (r == 0 && z->stream.avail_out == 0);
	return r;
}

/* Returns whether there may be more. */
static int zip_add_chunk(struct zip *z, struct entry *e, int from)
{
	ssize_t len = read(from, z->in, CHUNK);
	int r;

	if (len < 0)
		return -errno;
	e->crc = (uint32_t)crc32(e->crc, z->in, (unsigned)len);
	e->size += (uint32_t)len;
	r = e->method == DEFLATED ? write_deflated(z, e, (size_t)len, len == 0) : zip_write_bytes(z, e, z->in, (size_t)len);
	return r < 0 ? r : len > 0;
}

int zip_add(struct task *t, struct zip *z, const char *name, int from, bool compressed)
{
	struct entry e = { .name = name, .offset = z->offset, .method = compressed ? DEFLATED : STORED };
	off_t start = (off_t)z->offset + LOCAL_HEADER_SIZE + (off_t)strlen(name);
	int r;

	if (lseek(z->fd, start, SEEK_SET) < 0)
		return -errno;
	deflateReset(&z->stream);
	r = zip_add_chunk(z, &e, from);
	for (unsigned n = 1; r > 0; n++) {
		r = n % CHUNKS_IN_A_ROW == 0 ? task_sleep(t, 0) : 0;
		if (r == 0)
			r = zip_add_chunk(z, &e, from);
	}
	if (r == 0)
		r = write_header(z, &e);
	if (r < 0)
		return r;
	append_to_directory(z, &e);
	z->offset = (uint32_t)start + e.packed_size;
	return 0;
}

int zip_finish(struct zip *z)
{
	uint32_t size = (uint32_t)z->directory.len;

	put32(&z->directory, DIRECTORY_END);
	put32(&z->directory, 0); /* numbers of disks */
	put16(&z->directory, z->count);
	put16(&z->directory, z->count);
	put32(&z->directory, size);
	put32(&z->directory, z->offset);
	put16(&z->directory, 0); /* comment */
	if (lseek(z->fd, z->offset, SEEK_SET) < 0)
		return -errno;
	return file_write_all(z->fd, z->directory.data, z->directory.len);
}
