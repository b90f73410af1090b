"""The frames of a WebM file, and the colours that a browser shows for them."""
import base64
import json
import re
import struct

# The elements that hold others (the Matroska specification, RFC 9559, section 5.1). All others are skipped or read whole.
EBML, SEGMENT, INFO, TRACKS, TRACK, PICTURE, CLUSTER = 0x1A45DFA3, 0x18538067, 0x1549A966, 0x1654AE6B, 0xAE, 0xE0, 0x1F43B675
PARENTS = {SEGMENT, INFO, TRACKS, TRACK, PICTURE, CLUSTER}
DURATION, CODEC, WIDTH, HEIGHT, CLUSTER_TIME, SIMPLE_BLOCK = 0x4489, 0x86, 0xB0, 0xBA, 0xE7, 0xA3
CODECS = {b"V_AV1": "av01.0.04M.08", b"V_VP8": "vp8", b"V_VP9": "vp09.00.10.08"}

# Seeking in a <video> can draw nothing, or the former frame: "seeked" comes before the compositor has the new one.
# A VideoDecoder gives every frame.
DECODE = """async ({ codec, frames }) => {
    const seen = [];
    const decoder = new VideoDecoder({
        output: frame => {
            const canvas = new OffscreenCanvas(frame.displayWidth, frame.displayHeight);
            const context = canvas.getContext('2d');
            context.drawImage(frame, 0, 0);
            const pixel = context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data;
            seen.push([...pixel].map(part => part > 127 ? 1 : 0).join(''));
            frame.close();
        },
        error: error => seen.push(String(error)),
    });
    decoder.configure({ codec });
    for (const { time, key, data } of frames)
        decoder.decode(new EncodedVideoChunk({
            type: key ? 'key' : 'delta', timestamp: time * 1000, data: Uint8Array.from(atob(data), c => c.charCodeAt(0)) }));
    await decoder.flush();
    return seen.filter((colour, i) => colour !== seen[i - 1]);
}"""
WHITE, BLACK, RED, BLUE, GREEN = "1111", "0001", "1001", "0011", "0101"  # red, green, blue, alpha


def _number(data, position, marked):
    """A number of variable length at the position, with or without the bit that marks its length, and where it ends."""
    length = 9 - data[position].bit_length()
    value = int.from_bytes(data[position:position + length], "big")
    return value if marked else value & (1 << 7 * length) - 1, position + length


def _elements(data):
    position = 0
    while position < len(data):
        ident, position = _number(data, position, True)
        size, position = _number(data, position, False)
        if ident not in PARENTS:
            yield ident, data[position:position + size]
            position += size


def linked(answer):
    """The paths of the videos that an answer of browser_stop_video names."""
    return re.findall(r"^- \[Video\]\((.*)\)$", answer.result, re.M)


class Video:
    """`duration` in milliseconds; `frames`: one {time, key, data} for each, in milliseconds and base64."""

    def __init__(self, data):
        assert int.from_bytes(data[:4], "big") == EBML, f"no WebM file: {data[:16]}"
        self.frames, began = [], 0
        for ident, value in _elements(data):
            if ident == DURATION:
                self.duration, = struct.unpack(">d", value)
            elif ident == CODEC:
                self.codec = CODECS[bytes(value)]
            elif ident == WIDTH:
                self.width = int.from_bytes(value, "big")
            elif ident == HEIGHT:
                self.height = int.from_bytes(value, "big")
            elif ident == CLUSTER_TIME:
                began = int.from_bytes(value, "big")
            elif ident == SIMPLE_BLOCK:
                offset, flags = struct.unpack(">hB", value[1:4])
                self.frames.append({"time": began + offset, "key": bool(flags & 0x80),
                                    "data": base64.b64encode(value[4:]).decode()})

    def seen(self, ask):
        """The colours in the middle of the frames, one after the other. `ask` calls a tool, for the browser that decodes them."""
        video = json.dumps({"codec": self.codec, "frames": self.frames})
        return json.loads(ask("browser_evaluate", function=f"() => ({DECODE})({video})").result)
