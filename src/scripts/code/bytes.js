/* Bytes, and what gives them. */
import { oneOfTexts, perform, refuseOptions } from './channel.js';

/* Bytes as a caller of screenshot() expects them. */
class Bytes extends Uint8Array {
	toString(encoding) {
		const characters = () => Array.from(this, byte => String.fromCharCode(byte)).join('');
		if (encoding === 'base64')
			return btoa(characters());
		if (encoding === 'hex')
			return Array.from(this, byte => byte.toString(16).padStart(2, '0')).join('');
		if (encoding === 'latin1' || encoding === 'binary')
			return characters();
		return new TextDecoder().decode(this);
	}
}

export async function screenshot(request, options = {}) {
	refuseOptions(request.api, options, ['mask', 'style']);
	const { path, fullPage = false, scale = 'device', timeout } = options;
	const type = pictureType(request, options);
	const clip = request.target === undefined ? checkedClip(request, options.clip) : undefined;
	const base64 = await perform(request.api, 'screenshot', { ...request, path, type, quality: options.quality ?? 80, fullPage, clip, scale, timeout });
	return fromBase64(base64);
}

/* A text in UTF-8, or a copy of bytes. */
export const bytesOf = value => Bytes.from(typeof value === 'string' ? new TextEncoder().encode(value) : value);

const CHUNK = 0x8000; /* arguments of one call */

export function toBase64(bytes) {
	let characters = '';
	for (let at = 0; at < bytes.length; at += CHUNK)
		characters += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
	return btoa(characters);
}

/* The text of a file that the client may read, without its byte order mark. */
export async function textOfFile(api, path) {
	return new TextDecoder().decode(fromBase64(await perform(api, 'readFile', { path: String(path) })));
}

export const fromBase64 = base64 => Bytes.from(atob(base64), character => character.charCodeAt(0));

function pictureType(request, { path, type, quality, scale = 'device' }) {
	oneOfTexts(request, 'scale', scale, ['css', 'device']);
	if (type !== undefined)
		oneOfTexts(request, 'type', type, ['png', 'jpeg', 'webp']);
	const [, extension] = /\.(\w+)$/.exec(path) ?? [];
	const byPath = { jpg: 'jpeg', jpeg: 'jpeg', webp: 'webp' }[extension?.toLowerCase()] ?? 'png';
	const chosen = type ?? byPath;
	if (quality === undefined)
		return chosen;
	if (chosen === 'png')
		throw new Error(`${request.api}: options.quality is unsupported for the png screenshots`);
	if (!(Number.isInteger(quality) && quality >= 0 && quality <= 100))
		throw new Error(`${request.api}: Expected options.quality to be between 0 and 100 (inclusive), got ${quality}`);
	return chosen;
}

function checkedClip(request, clip) {
	if (clip === undefined)
		return undefined;
	const { x, y, width, height } = clip;
	for (const [name, value] of Object.entries({ x, y, width, height })) {
		if (typeof value !== 'number')
			throw new Error(`${request.api}: clip.${name}: expected float, got ${typeof value}`);
	}
	for (const [name, value] of Object.entries({ width, height })) {
		if (value <= 0)
			throw new Error(`${request.api}: Expected options.clip.${name} to be greater than 0.`);
	}
	return { x, y, width, height };
}
