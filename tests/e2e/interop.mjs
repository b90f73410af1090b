// node interop.mjs SDK_FOLDER BROWSERD PAGE: drives browserd with the official client and prints what came of it as JSON.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';

const [folder, browserd, page] = process.argv.slice(2);
const resolve = createRequire(`${folder}/package.json`).resolve;
const load = path => import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await load('client/index.js');
const { StdioClientTransport } = await load('client/stdio.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
const { SSEClientTransport } = await load('client/sse.js');

const output = mkdtempSync(`${tmpdir()}/browserd-interop-`);
const client = new Client({ name: 'interop', version: '1' });
await client.connect(new StdioClientTransport({ command: browserd, args: ['--output-dir', output, '--caps', 'observe'], env: process.env }));
const listed = (await client.listTools()).tools.map(tool => tool.name);
const called = new Set();

async function call(name, args = {}) {
	called.add(name);
	const result = await client.callTool({ name, arguments: args });
	if (result.isError)
		throw new Error(`${name}: ${result.content[0].text}`);
	return result.structuredContent;
}

const { sessionId } = await call('create_session');
await call('navigate', { sessionId, url: page });
await call('type', { sessionId, selector: '#i', text: 'typed' });
await call('click', { sessionId, selector: '#b' });
const { value: title } = await call('evaluate', { sessionId, expression: 'document.title' });
await call('screenshot', { sessionId });
const { targets: [{ id: targetId }] } = await call('cdp_list_targets');
await call('cdp_observe', { targetId });
const { events } = await call('cdp_read_events', { targetId, kinds: ['request'] });
await call('cdp_get_response_body', { targetId, requestId: events[0].requestId });
await call('wait_for_event', { targetId, kinds: ['response'] });
await call('cdp_set_filters', { targetId, kinds: ['console'] });
await call('cdp_get_filters', { targetId });
await call('cdp_clear_events', { targetId });
await call('cdp_stop_observe', { targetId });
await call('list_sessions');
await call('close_session', { sessionId });

const at = selector => ({ element: selector, target: selector });
for (const [name, args] of [
	['browser_navigate', { url: page }],
	['browser_snapshot', {}],
	['browser_find', { text: 'x' }],
	['browser_hover', at('#b')],
	['browser_click', at('#b')],
	['browser_type', { ...at('#i'), text: 'typed' }],
	['browser_press_key', { key: 'a' }],
	['browser_select_option', { ...at('#s'), values: ['B'] }],
	['browser_fill_form', { fields: [{ ...at('#i'), name: 'i', type: 'textbox', value: 'filled' }] }],
	['browser_drag', { startTarget: '#b', endTarget: '#d' }],
	['browser_drop', { target: '#d', data: { 'text/plain': 'x' } }],
	['browser_evaluate', { function: '() => 1' }],
	['browser_run_code_unsafe', { code: 'async (page) => page.title()' }],
	['browser_wait_for', { time: 0.1 }],
	['browser_tabs', { action: 'list' }],
	['browser_resize', { width: 800, height: 600 }],
	['browser_emulate_media', { colorScheme: 'dark' }],
	['browser_take_screenshot', {}],
	['browser_console_messages', { level: 'info' }],
	['browser_network_requests', { static: true }],
	['browser_network_request', { index: 1 }],
	['browser_click', at('#a')],
	['browser_handle_dialog', { accept: true }],
	['browser_click', at('#f')],
	['browser_file_upload', {}],
	['browser_navigate_back', {}],
	['browser_close', {}],
])
	await call(name, args);

// Over HTTP: two clients at once, one of them with the older transport.
const server = spawn(browserd, ['--port', '0', '--output-dir', output, '--caps', 'observe'], { stdio: ['ignore', 'ignore', 'pipe'] });
const address = await new Promise(resolve => {
	let said = '';
	server.stderr.on('data', data => {
		const listening = (said += data).match(/Listening on (\S+)\n/);
		if (listening)
			resolve(listening[1]);
	});
});
const http = [];
const transports = [new StreamableHTTPClientTransport(new URL('/mcp', address)), new SSEClientTransport(new URL('/sse', address))];
for (const transport of transports) {
	const other = new Client({ name: 'interop', version: '1' });
	await other.connect(transport);
	const names = (await other.listTools()).tools.map(tool => tool.name);
	const progress = [];
	await other.callTool({ name: 'browser_navigate', arguments: { url: page } });
	await other.callTool({ name: 'browser_wait_for', arguments: { time: 1.2 } }, undefined, { onprogress: p => progress.push(p) });
	await other.ping();
	const { content } = await other.callTool({ name: 'browser_evaluate', arguments: { function: '() => document.title' } });
	http.push({ tools: names.length, progress: progress.length > 0, title: content[0].text.includes('"interop"') });
	if (transport.terminateSession)
		await transport.terminateSession();
	await other.close();
}
server.kill();
await new Promise(resolve => server.on('exit', resolve));

const failed = await client.callTool({ name: 'navigate', arguments: { sessionId, url: page } });
const unknown = await client.callTool({ name: 'no_such_tool' }).catch(error => error.code);
await client.ping();
await client.close();
rmSync(output, { recursive: true });
console.log(JSON.stringify({ listed, called: [...called], title, unknown, http, failure: JSON.parse(failed.content[0].text).errorCode }));
