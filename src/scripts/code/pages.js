/* What is known of the pages without asking, and of the server. */
export const pages = new Map(); /* by number */
export const states = new Map(); /* by number: {url, width, height, closed} */
export const defaults = {}; /* the server's time-outs in milliseconds: action, navigation */

/* The number of the page that an object of the client side belongs to. */
export const pageIds = new WeakMap();
export const pageId = object => pageIds.get(object);
