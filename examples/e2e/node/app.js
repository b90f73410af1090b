// A list that remembers what is put into it.
const http = require('node:http');

const things = [];
const page = () => `<!doctype html><title>Things (Node)</title><h1>Things</h1>
<form method=post><input name=thing><button>Add</button></form>
<ul>${things.map(thing => `<li>${thing.replace(/[<&]/g, c => `&#${c.charCodeAt()};`)}</li>`).join('')}</ul>`;

http.createServer((request, response) => {
	let body = '';
	request.on('data', data => (body += data));
	request.on('end', () => {
		if (request.method === 'POST') {
			things.push(new URLSearchParams(body).get('thing') ?? '');
			response.writeHead(303, { Location: '/' }).end();
		} else {
			response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(page());
		}
	});
}).listen(Number(process.env.PORT ?? 0), 'localhost', function () {
	console.log(`listening on http://localhost:${this.address().port}`);
});
