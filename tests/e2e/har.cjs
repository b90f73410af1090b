/* Reads an HTTP archive from stdin as har-validator (npm) does, and prints what is in its entries. Argument: folder of the package. */
const { createRequire } = require('module');
const { readFileSync } = require('fs');

const validate = createRequire(process.argv[2] + '/package.json')('har-validator');

validate.har(JSON.parse(readFileSync(0, 'utf8'))).then(({ log }) => {
	console.log(JSON.stringify(log.entries.map(({ request, response, startedDateTime, time }) => ({
		method: request.method,
		url: request.url,
		sent: Object.fromEntries(request.headers.map(({ name, value }) => [name.toLowerCase(), value])),
		posted: request.postData?.text ?? null,
		status: response.status,
		type: response.content.mimeType,
		body: response.content.encoding ? Buffer.from(response.content.text, response.content.encoding).toString('latin1') : response.content.text ?? null,
		location: response.redirectURL,
		got: Object.fromEntries(response.headers.map(({ name, value }) => [name.toLowerCase(), value])),
		began: Date.parse(startedDateTime),
		time,
	}))));
}, error => {
	console.error(JSON.stringify(error.errors ?? String(error)));
	process.exit(1);
});
