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
const args = ['--output-dir', output, '--state-dir', `${output}/states`, '--caps', 'observe,config,vision,testing,pdf,devtools,storage,network,people'];
const at = selector => ({ element: selector, target: selector });

/* Calls each tool that is there, and fails with the first that fails. What came of it. */
async function callAll(client) {
	const listed = (await client.listTools()).tools.map(tool => tool.name);
	const called = new Set(), progress = [];

	async function call(name, args = {}) {
		called.add(name);
		const result = await client.callTool({ name, arguments: args }, undefined, { onprogress: p => progress.push(p) });
		if (result.isError)
			throw new Error(`${name}: ${result.content[0].text}`);
		return result.structuredContent;
	}

	/* These answer only what is needed instead. */
	for (const name of ['browser_annotate', 'browser_resume']) {
		called.add(name);
		const { isError } = await client.callTool({ name, arguments: {} });
		if (!isError)
			throw new Error(`${name} succeeded`);
	}

	async function saveAndRestoreStorage() {
		called.add('browser_storage_state');
		const saved = await client.callTool({ name: 'browser_storage_state' });
		const [, filename] = saved.content[0].text.match(/\[Storage state\]\((.*)\)/);
		await call('browser_set_storage_state', { filename });
	}

	const { sessionId } = await call('create_session');
	await call('navigate', { sessionId, url: page });
	await call('type', { sessionId, selector: '#i', text: 'typed' });
	await call('click', { sessionId, selector: '#b' });
	const { value: title } = await call('evaluate', { sessionId, expression: 'document.title' });
	await call('screenshot', { sessionId });
	await call('save_state', { sessionId, name: 'kept' });
	await call('list_states');
	await call('close_session', { sessionId: (await call('create_session', { state: 'kept' })).sessionId });
	await call('delete_state', { name: 'kept' });
	const { targets } = await call('cdp_list_targets');
	const targetId = targets.find(target => target.url === page).id;
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
	for (const [name, args] of [
		['browser_start_tracing', {}],
		['browser_navigate', { url: page }],
		['browser_snapshot', {}],
		['browser_find', { text: 'x' }],
		['browser_read', {}],
		['browser_hover', at('#b')],
		['browser_scroll', { target: '#b', to: 'view' }],
		['browser_select_text', at('#b')],
		['browser_batch', { steps: [{ tool: 'browser_hover', ...at('#b') }, { tool: 'browser_evaluate', function: '() => 1' }] }],
		['browser_click', at('#b')],
		['browser_type', { ...at('#i'), text: 'typed' }],
		['browser_press_key', { key: 'a' }],
		['browser_select_option', { ...at('#s'), values: ['B'] }],
		['browser_fill_form', { fields: [{ ...at('#i'), name: 'i', type: 'textbox', value: 'filled' }] }],
		['browser_drag', { startTarget: '#b', endTarget: '#d' }],
		['browser_drop', { target: '#d', data: { 'text/plain': 'x' } }],
		['browser_evaluate', { function: '() => 1' }],
		['browser_run_code_unsafe', { code: 'async (page) => page.title()' }],
		['browser_wait_for', { time: 1.2 }],
		['browser_tabs', { action: 'list' }],
		['view_link', {}],
		['request_user', { message: 'Look', timeout: 100 }],
		['browser_start_recording', {}],
		['browser_stop_recording', {}],
		['browser_start_video', {}],
		['browser_video_chapter', { title: 'A', duration: 1 }],
		['browser_video_show_actions', { duration: 1 }],
		['browser_video_hide_actions', {}],
		['browser_stop_video', {}],
		['browser_highlight', at('#b')],
		['browser_hide_highlight', {}],
		['browser_resize', { width: 800, height: 600 }],
		['browser_get_config', {}],
		['browser_emulate_media', { colorScheme: 'dark' }],
		['browser_take_screenshot', {}],
		['browser_console_messages', { level: 'info' }],
		['browser_network_requests', { static: true }],
		['browser_network_request', { index: 1 }],
		['browser_mouse_move_xy', { x: 5, y: 5 }],
		['browser_mouse_down', {}],
		['browser_mouse_up', {}],
		['browser_mouse_click_xy', { x: 5, y: 5 }],
		['browser_mouse_drag_xy', { startX: 1, startY: 1, endX: 2, endY: 2 }],
		['browser_mouse_wheel', { deltaY: 1 }],
		['browser_pdf_save', {}],
		['browser_generate_locator', at('#b')],
		['browser_verify_value', { ...at('#i'), type: 'textbox', value: 'filled' }],
		['browser_verify_list_visible', { ...at('body'), items: [] }],
		['browser_verify_element_visible', { role: 'textbox', accessibleName: '' }],
		['browser_verify_text_visible', { text: '' }],
		['browser_cookie_set', { name: 'a', value: 'b' }],
		['browser_cookie_list', {}],
		['browser_cookie_get', { name: 'a' }],
		['browser_cookie_delete', { name: 'a' }],
		['browser_cookie_clear', {}],
		...['localstorage', 'sessionstorage'].flatMap(storage => [
			[`browser_${storage}_set`, { key: 'a', value: 'b' }],
			[`browser_${storage}_get`, { key: 'a' }],
			[`browser_${storage}_list`, {}],
			[`browser_${storage}_delete`, { key: 'a' }],
			[`browser_${storage}_clear`, {}],
		]),
		['browser_route', { pattern: '**/*.png', status: 404 }],
		['browser_route_list', {}],
		['browser_unroute', {}],
		['browser_network_state_set', { state: 'online' }],
		['browser_click', at('#a')],
		['browser_handle_dialog', { accept: true }],
		['browser_click', at('#f')],
		['browser_file_upload', {}],
		['browser_navigate_back', {}],
		['browser_stop_tracing', {}],
	])
		await call(name, args);
	await saveAndRestoreStorage();
	await call('browser_close');
	const failed = await client.callTool({ name: 'navigate', arguments: { sessionId, url: page } });
	const unknown = await client.callTool({ name: 'no_such_tool' }).catch(error => error.code);
	await client.ping();
	return { listed, called: [...called], title, progress: progress.length > 0, unknown, failure: JSON.parse(failed.content[0].text).errorCode };
}

async function withClient(transport) {
	const client = new Client({ name: 'interop', version: '1' });
	await client.connect(transport);
	const said = await callAll(client);
	if (transport.terminateSession)
		await transport.terminateSession();
	await client.close();
	return said;
}

function listen(server) {
	let said = '';
	return new Promise(resolve => server.stderr.on('data', data => {
		const listening = (said += data).match(/Listening on (\S+)\n/);
		if (listening)
			resolve(listening[1]);
	}));
}

const server = spawn(browserd, ['--port', '0', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
const address = await listen(server);
const stdio = await withClient(new StdioClientTransport({ command: browserd, args: [...args, '--view-port', '0'], env: process.env }));
const http = await withClient(new StreamableHTTPClientTransport(new URL('/mcp', address)));
const sse = await withClient(new SSEClientTransport(new URL('/sse', address)));
server.kill();
await new Promise(resolve => server.on('exit', resolve));
rmSync(output, { recursive: true });
console.log(JSON.stringify({ stdio, http, sse }));
