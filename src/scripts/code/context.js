/* page.context(): the session's cookies and pages. */
import { perform, refuseOptions } from './channel.js';
import { addEventMethods, contextSources, Emitter } from './events.js';
import { describeMembers } from './members.js';
import { pages } from './pages.js';

class Context {
	#emitter = new Emitter('browserContext', contextSources);

	static {
		describeMembers(Context, 'browserContext');
		addEventMethods(Context.prototype, 'browserContext', context => context.#emitter);
	}

	pages() {
		return [...pages.values()].filter(page => !page.isClosed());
	}

	async newPage() {
		return pages.get(await perform('browserContext.newPage', 'newPage', {}));
	}

	async cookies(urls = []) {
		const cookies = await perform('browserContext.cookies', 'cookies', { urls: [urls].flat() });
		return cookies.map(({ name, value, domain, path, expires, httpOnly, secure, sameSite = 'Lax' }) =>
			({ name, value, domain, path, expires, httpOnly, secure, sameSite }));
	}

	async addCookies(cookies) {
		await perform('browserContext.addCookies', 'addCookies', { cookies });
	}

	async clearCookies(options) {
		refuseOptions('browserContext.clearCookies', options, ['name', 'domain', 'path']);
		await perform('browserContext.clearCookies', 'clearCookies', {});
	}

	toJSON() {
		return { _type: 'BrowserContext' };
	}
}

export const theContext = new Context();
