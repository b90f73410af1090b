/* The text of a snapshot is sent in parts while the rest is written: as reports `snapshot NUMBER TEXT`. */

export const PART_LENGTH = 32768; /* UTF-16 units after which text is sent to the server, at the end of a line */

/* Thrown when more text was sent than the server takes of this document. */
export const TOO_LARGE = Symbol('too large');

/* `writer`: {number, room}. */
export function sendPart(writer, text) {
	writer.room -= text.length;
	if (writer.room < 0)
		throw TOO_LARGE;
	globalThis.browserdReport(`snapshot ${writer.number} ${text}`);
}
