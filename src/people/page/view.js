/* The page: what is in the address after # decides what is shown. */
import { Connection } from './connection.js';
import { Grid } from './grid.js';
import { Pictures } from './pictures.js';
import { Session } from './session.js';
import { logOut, whoAmI } from './access.js';
import { showLogin } from './login.js';
import { announce, element, setAttribute, setHidden, setText } from './dom.js';
import { setServerClock } from './words.js';

const main = document.getElementById('main'), connectionWords = document.getElementById('connection');
const whenReplayLoaded = import('/view/replay.js').catch(() => null);

const me = { viewer: 0, act: false, one: null };
let shown = null; /* Grid or Session; null: recordings or the login are shown */

const connection = new Connection({ message: takeMessage, binary: buffer => pictures.takeBinary(buffer), state: onState });
const send = message => connection.send(message);
const pictures = new Pictures(send);

/* ---- the connection ---- */

const STATE_WORDS = { connecting: '', open: '', lost: 'No connection. Trying again …', login: '' };

function onState(state) {
	setText(connectionWords, STATE_WORDS[state]);
	setAttribute(document.body, 'data-connection', state);
	setHidden(document.getElementById('logout'), state === 'login');
	if (state === 'lost')
		announce('The connection to the server is lost.');
	if (state === 'login')
		askForLogin('The login has ended. Log in again to go on.');
}

function takeMessage(message) {
	if (message.now)
		setServerClock(message.now);
	if (message.type === 'hello') {
		Object.assign(me, { viewer: message.viewer, act: message.act, one: message.one ?? null });
		begin();
		return;
	}
	for (const card of [...message.cards ?? [], message.card].filter(Boolean))
		complete(card);
	if (message.as !== undefined)
		pictures.takeMessage(message);
	else
		shown?.take?.(message);
}

/* What depends on the viewer is not in the card. */
function complete(card) {
	card.mayAct = me.act;
	if (card.control)
		card.control.mine = card.control.viewer === me.viewer;
}

/* A new connection knows nothing of what is shown. */
function begin() {
	setHidden(document.getElementById('views'), Boolean(me.one));
	if (shown?.ask) {
		shown.ask();
		pictures.renew();
	} else {
		route();
	}
}

/* ---- what is shown ---- */

function leave() {
	shown?.end();
	shown = null;
}

/* What arrives after the person has gone elsewhere is written to an element that is no longer part of the page. */
async function showRecordings(id) {
	const root = element('div');
	main.replaceChildren(root);
	const replay = await whenReplayLoaded;
	if (!replay)
		root.replaceChildren(element('p', { class: 'empty', text: 'This server keeps no recordings.' }));
	else if (id)
		replay.showReplay(root, id);
	else
		replay.showRecordings(root);
}

function markView(view) {
	for (const name of ['sessions', 'recordings'])
		setAttribute(document.getElementById(`to-${name}`), 'aria-current', name === view ? 'page' : null);
}

/* What follows #/NAME/ in the address. */
const restOfAddress = () => decodeURIComponent(location.hash.split('/')[2] ?? '');

/* The id of the session that the address names: that of a link is the id, others are keys, OWNER/ID. */
const sessionOfAddress = () => location.hash.startsWith('#/session/') ? restOfAddress().replace(/^\d+\//, '') : undefined;

function route() {
	const [, view] = location.hash.split('/'), rest = restOfAddress();
	leave();
	if (view === 'session' && rest || me.one) {
		shown = new Session(main, me.one ?? rest, send, pictures);
		shown.ask();
	} else if (view === 'recordings') {
		showRecordings(rest);
	} else {
		shown = new Grid(main, send, pictures);
		shown.ask();
	}
	markView(view === 'recordings' ? 'recordings' : 'sessions');
}

window.addEventListener('hashchange', () => {
	if (!connection.wanted)
		return;
	route();
	main.focus();
	window.scrollTo(0, 0);
});

setInterval(() => {
	if (document.visibilityState !== 'hidden')
		shown?.tick?.();
}, 1000);

/* ---- the login ---- */

function askForLogin(why) {
	leave();
	setHidden(document.getElementById('views'), true);
	setHidden(document.getElementById('logout'), true);
	showLogin(main, why, start);
}

function start() {
	main.replaceChildren(element('p', { class: 'empty', text: 'Connecting …' }));
	setHidden(document.getElementById('logout'), false);
	connection.open(sessionOfAddress());
}

document.getElementById('logout').addEventListener('click', async () => {
	connection.close();
	try {
		await logOut();
		askForLogin('You have logged out.');
	} catch {
		askForLogin('The server cannot be reached: the login has not ended there.');
	}
});

whenReplayLoaded.then(replay => setHidden(document.getElementById('to-recordings'), !replay));

async function enter() {
	try {
		if (await whoAmI(sessionOfAddress()))
			start();
		else
			askForLogin('');
	} catch (error) {
		if (error instanceof TypeError) /* no answer: the connection tries again */
			start();
		else
			askForLogin(error.message);
	}
}

enter();
