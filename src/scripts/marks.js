/* What videos show besides the page: cards of chapters, and marks of actions with a mouse pointer that moves from one to the next. */
import { scrollIntoView } from './dom.js';
import { exported } from './exported.js';
import { draw, eraseDrawings, restyle } from './overlay.js';
import { Obstacle } from './patience.js';
import { rectOf } from './raw.js';
import { findTarget } from './target.js';
import { inNextFrame, later } from './timers.js';

const FADE = 200; /* ms */
const FIRST_FRAME_MAX = 1000; /* ms until a drawing is on the screen; a busy machine takes long, and a page may stop drawing */
const CARD_STYLE = 'position: absolute; inset: 0; display: flex; flex-direction: column; align-items: center; justify-content: center; ' +
	'gap: 12px; padding: 40px; text-align: center; color: #fff; background: rgba(0, 0, 0, .55); backdrop-filter: blur(8px);';
const CARD_TITLE_STYLE = 'font-size: 40px; font-weight: 600; max-width: 90%; overflow-wrap: anywhere;';
const CARD_TEXT_STYLE = 'font-size: 20px; max-width: 80%; overflow-wrap: anywhere; white-space: pre-wrap;';
const TITLE_STYLE = 'position: absolute; margin: 8px; padding: 4px 10px; max-width: calc(100% - 16px); border-radius: 5px; font-size: 20px; ' +
	'color: #fff; background: rgba(60, 60, 60, .8); overflow-wrap: anywhere;';
const POINT_STYLE = 'position: absolute; width: 0; height: 0; transform: translate(-50%, -50%);';
const POINTER_STYLE = 'position: absolute; width: 18px; height: 26px; background: #111; filter: drop-shadow(0 0 1px #fff) drop-shadow(0 0 1px #fff); ' +
	'clip-path: polygon(0 0, 0 80%, 24% 62%, 42% 100%, 58% 93%, 41% 56%, 70% 56%);';
const POINTER_TIME_MAX = 400; /* ms for its way */
const PLACES = {
	'top-left': 'left: 0; top: 0;', 'top': 'left: 50%; top: 0; translate: -50% 0;', 'top-right': 'right: 0; top: 0;',
	'bottom-left': 'left: 0; bottom: 0;', 'bottom': 'left: 50%; bottom: 0; translate: -50% 0;', 'bottom-right': 'right: 0; bottom: 0;',
};
let pointer = null;

const pause = duration => new Promise(resolve => later(resolve, duration));

/* Resolves when what was drawn has been on the screen for `duration` ms: the second frame begins when the first has been drawn. */
async function show(duration) {
	if (!document.hidden)
		await Promise.race([new Promise(resolve => inNextFrame(() => inNextFrame(resolve))), pause(FIRST_FRAME_MAX)]);
	await pause(duration);
}

/* {title, description, duration}: shows a card over the whole page; resolves when it has gone. */
exported.showChapter = async ({ title, description, duration }) => {
	const card = draw(CARD_STYLE);
	if (!card)
		return;
	draw(CARD_TITLE_STYLE, title, card);
	if (description)
		draw(CARD_TEXT_STYLE, description, card);
	await show(duration);
	restyle(card, { transition: `opacity ${FADE}ms`, opacity: '0' });
	await pause(FADE);
	eraseDrawings([card]);
};

/* The middle of the element's box, which is scrolled into view; null: there is no such element yet. */
function boxOfTarget(target) {
	let element;
	try {
		element = findTarget(target);
	} catch {
		return null;
	}
	if (element instanceof Obstacle)
		return null;
	scrollIntoView(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
	const { left, top, width, height } = rectOf(element);
	return { left, top, width, height, x: left + width / 2, y: top + height / 2 };
}

function movePointer({ x, y }, duration) {
	if (!pointer?.isConnected) {
		eraseDrawings([pointer]);
		pointer = draw(`${POINTER_STYLE} left: 0; top: 0;`);
	}
	if (!pointer)
		return;
	restyle(pointer, { transition: `left ${duration}ms, top ${duration}ms` });
	rectOf(pointer); /* begins the transition at the former place */
	restyle(pointer, { left: `${x}px`, top: `${y}px` });
}

/*
 * {title, target, duration, wait, position, cursor, style: {title, point, highlight}}: shows the title, and the point and the box of
 * the target, for `duration` ms. With `wait` it resolves when that time is over.
 */
exported.markAction = ({ title, target, duration, wait, position, cursor, style }) => {
	const box = target ? boxOfTarget(target) : null;
	const drawings = [];
	if (box && style.highlight)
		drawings.push(draw(`position: absolute; left: ${box.left}px; top: ${box.top}px; width: ${box.width}px; height: ${box.height}px; ${style.highlight}`));
	if (box && style.point)
		drawings.push(draw(`${POINT_STYLE} left: ${box.x}px; top: ${box.y}px; ${style.point}`));
	if (title)
		drawings.push(draw(`${TITLE_STYLE} ${PLACES[position]} ${style.title ?? ''}`, title));
	if (box && cursor === 'pointer')
		movePointer(box, Math.min(duration, POINTER_TIME_MAX));
	const over = show(duration).then(() => eraseDrawings(drawings));
	return wait ? over : undefined;
};

/* Takes the pointer away. */
exported.endMarks = () => {
	eraseDrawings([pointer]);
	pointer = null;
};
