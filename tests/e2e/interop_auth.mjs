// node interop_auth.mjs SDK_FOLDER ADDRESS PAGE TOKEN READ_TOKEN: what the official client makes of TLS and OAuth, as JSON.
// The server's certificate is in NODE_EXTRA_CA_CERTS.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, address, page, token, readToken] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = path => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
const { SSEClientTransport } = await load('client/sse.js');
const { discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } = await load('client/auth.js');

// As a client that has no token finds out where to get one.
const refused = await fetch(address, { method: 'POST' });
const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refused);
const found = await discoverOAuthProtectedResourceMetadata(address, { resourceMetadataUrl });
const byItself = await discoverOAuthProtectedResourceMetadata(address);

async function connect(Transport, bearer, url = address) {
	const client = new Client({ name: 'interop', version: '1' });
	await client.connect(new Transport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${bearer}` } } }));
	return client;
}

const titles = [];
for (const [Transport, url] of [[StreamableHTTPClientTransport, address], [SSEClientTransport, address.replace('/mcp', '/sse')]]) {
	const client = await connect(Transport, token, url);
	await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
	const { content } = await client.callTool({ name: 'browser_evaluate', arguments: { function: '() => document.title' } });
	titles.push(content[0].text.includes('"behind TLS"'));
	await client.close();
}
const reader = await connect(StreamableHTTPClientTransport, readToken);
const { tools } = await reader.listTools();
const forbidden = await reader.callTool({ name: 'browser_navigate', arguments: { url: page } }).catch(error => error.code);
await reader.close();
const wrong = await connect(StreamableHTTPClientTransport, 'x').catch(error => error.code);
console.log(JSON.stringify({ status: refused.status, scope, found, same: JSON.stringify(found) === JSON.stringify(byItself), titles,
	tools: tools.length > 0, forbidden, wrong }));
