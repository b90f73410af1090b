// drive.mjs SDK_FOLDER COMMAND [ARGUMENT...]: starts COMMAND as an MCP server with the official client, opens a page and reads its snapshot.
// Prints as JSON: the server's name and version, the number of tools, milliseconds from the start to the first snapshot, and the
// processes below the client with their memory (PSS in KiB), apart from those of the browser. Fails if the snapshot lacks the page.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, command, ...args] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = path => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');

function processesBelow(pid) {
	const parents = readdirSync('/proc').filter(name => /^\d+$/.test(name)).flatMap(name => {
		try {
			const [, comm, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').match(/\((.*)\) \S (\d+)/s);
			return [{ pid: +name, name: comm, parent: +parent }];
		} catch {
			return []; // it has ended
		}
	});
	const below = parents.filter(each => each.parent === pid);
	return below.concat(below.flatMap(each => /chrom|headless/i.test(each.name) ? [] : processesBelow(each.pid)));
}

function memory(pid) {
	return +readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8').match(/^Pss:\s+(\d+)/m)[1];
}

const began = performance.now();
const transport = new StdioClientTransport({ command, args, stderr: 'inherit', env: process.env });
const client = new Client({ name: 'drive', version: '1' });
await client.connect(transport, { timeout: 300000 });
const tools = (await client.listTools()).tools.length;
await client.callTool({ name: 'browser_navigate', arguments: { url: 'data:text/html,<title>Hello</title><button>Press me</button>' } },
	undefined, { timeout: 120000 });
const snapshot = await client.callTool({ name: 'browser_snapshot', arguments: {} });
const milliseconds = Math.round(performance.now() - began);
const processes = processesBelow(process.pid).filter(each => !/chrom|headless/i.test(each.name))
	.map(each => ({ name: each.name, memory: memory(each.pid) }));
const server = client.getServerVersion();
await client.close();
if (!JSON.stringify(snapshot.content).includes('button \\"Press me\\"')) {
	console.error(`the snapshot lacks the page: ${JSON.stringify(snapshot)}`);
	process.exit(1);
}
console.log(JSON.stringify({ server, tools, milliseconds, processes }));
