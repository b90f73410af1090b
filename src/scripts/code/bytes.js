/* Bytes, and what gives them. */
import { perform, refuseOptions } from './channel.js';

/* Bytes as a caller of screenshot() expects them. */
export class Bytes extends Uint8Array {
	toString(encoding) {
		if (encoding === 'base64')
			return btoa(Array.from(this, byte => String.fromCharCode(byte)).join(''));
		return new TextDecoder().decode(this);
	}
}

export async function screenshot(request, options = {}) {
	refuseOptions(request.api, options, ['clip', 'mask', 'style']);
	const { path, type = /\.jpe?g$/i.test(path) ? 'jpeg' : 'png', quality = 80, fullPage = false, timeout } = options;
	const base64 = await perform(request.api, 'screenshot', { ...request, path, type, quality, fullPage, timeout });
	return Bytes.from(atob(base64), character => character.charCodeAt(0));
}
