/*
 * The numbers of the requests, [number, URL], whose URL the regular expression `filter` matches; a text when it is not a regular
 * expression.
 */
export default (filter, requests) => {
	try {
		const expression = new RegExp(filter);
		return requests.flatMap(([number, url]) => expression.test(url) ? [number] : []);
	} catch (error) {
		return String(error);
	}
};
