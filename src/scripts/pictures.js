/*
 * What a person sees or plays and no word of the page says: pictures without a name, backgrounds, films. They are in an outline with their
 * size, so that an agent knows that there is something to look at, and can take a picture of it.
 */
import { styleOf } from './contents.js';
import { rectOf } from './raw.js';

const SIDE_MIN = 24; /* px each way: what is smaller is an icon, or keeps other things apart */
export const MEDIA_TAGS = new Set(['video', 'audio', 'embed', 'object']); /* and the words that stand for them in an outline */

export const isBackground = element => isLarge(element) && styleOf(element).backgroundImage.includes('url(');

export function isLarge(element) {
	const { width, height } = rectOf(element);
	return width >= SIDE_MIN && height >= SIDE_MIN;
}
