/* The page's {url, title} for answers. A long title is cut after `limit` UTF-16 units. */
export function shownPage(limit) {
	const title = Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document);
	return { url: location.href, title: title.length > limit ? title.slice(0, limit).toWellFormed() + '…' : title.toWellFormed() };
}
