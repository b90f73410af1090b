// node interop_list.mjs SDK_FOLDER COMMAND...: lists the tools of a server with the official client, and compiles their schemas.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const load = path => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { Ajv2020 } = createRequire(require.resolve('@modelcontextprotocol/sdk/client/index.js'))('ajv/dist/2020.js');

const client = new Client({ name: 'interop', version: '1' });
await client.connect(new StdioClientTransport({ command, args }));
const { tools } = await client.listTools();
const ajv = new Ajv2020({ strict: true });
for (const { inputSchema } of tools)
	ajv.compile(inputSchema);
console.log(JSON.stringify({ names: tools.map(({ name }) => name), instructions: client.getInstructions() ?? null }));
await client.close();
