// drive.mjs SDK_FOLDER COMMAND [ARGUMENT...]: starts COMMAND as an MCP server with the official client, opens a page and reads its snapshot.
// Prints as JSON: the server's name and version, the number of tools, milliseconds from the start to the first snapshot, and the
// processes of the server with their memory (PSS in KiB), without those of the browser and of podman. They are found by the variable
// DRIVE_MARK of their environment, as a container's processes are not below the client. Fails if the snapshot lacks the page.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, command, ...args] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = path => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');

const NOT_OF_THE_SERVER = /chrom|headless|^podman$|^conmon$|^crun$/i;

function serverProcesses() {
	return readdirSync('/proc').filter(name => /^\d+$/.test(name) && +name !== process.pid).flatMap(name => {
		try {
			const read = file => readFileSync(`/proc/${name}/${file}`, 'utf8');
			const found = read('environ').includes(`DRIVE_MARK=${process.env.DRIVE_MARK}`) && !NOT_OF_THE_SERVER.test(read('comm').trim());
			return found ? [{ name: read('comm').trim(), memory: +read('smaps_rollup').match(/^Pss:\s+(\d+)/m)[1] }] : [];
		} catch {
			return []; // it has ended, or belongs to another user
		}
	});
}

process.env.DRIVE_MARK = randomUUID();
const began = performance.now();
const transport = new StdioClientTransport({ command, args, stderr: 'inherit', env: process.env });
const client = new Client({ name: 'drive', version: '1' });
await client.connect(transport, { timeout: 300000 });
const tools = (await client.listTools()).tools.length;
await client.callTool({ name: 'browser_navigate', arguments: { url: 'data:text/html,<title>Hello</title><button>Press me</button>' } },
	undefined, { timeout: 120000 });
const snapshot = await client.callTool({ name: 'browser_snapshot', arguments: {} });
const milliseconds = Math.round(performance.now() - began);
const processes = serverProcesses();
const server = client.getServerVersion();
await client.close();
if (!JSON.stringify(snapshot.content).includes('button \\"Press me\\"')) {
	console.error(`the snapshot lacks the page: ${JSON.stringify(snapshot)}`);
	process.exit(1);
}
console.log(JSON.stringify({ server, tools, milliseconds, processes }));
