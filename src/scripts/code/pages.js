/* What is known of the pages and frames without asking, and of the server. */
export const pages = new Map(); /* by number */
export const states = new Map(); /* by number: {url, width, height, closed, crashed, video: path of its recording or null, frames: numbers of its child frames, the oldest first} */
export const frames = new Map(); /* the child frames of all pages, by number */
export const frameStates = new Map(); /* by number: {parent: number, name, url}; parent is -1 for those in the main frame */
export const defaults = {}; /* the server's time-outs in milliseconds: action, navigation, expect; baseURL: of relative addresses, or null */

export function addressOf(url) {
	return defaults.baseURL && URL.canParse(url, defaults.baseURL) ? new URL(url, defaults.baseURL).href : url;
}

/* Where an object of the client side is: {page: number, frame: number of a child frame, else undefined}. */
export const origins = new WeakMap();
export const originOf = object => origins.get(object);
export const pageId = object => originOf(object).page;
/* The object of the page that `object` belongs to. */
export const pageOf = object => pages.get(pageId(object));
