/*
 * Playwright itself as the other side of a storage state: node reference_state.cjs (write|read) FOLDER PROGRAM FILE URL FUNCTION, where FOLDER is that of
 * playwright-core. "write" calls the function in a page of the URL and saves the state; "read" begins with the state and prints what it answers.
 */
const [, , what, folder, executablePath, file, url, code] = process.argv;
const { chromium } = require(folder);

(async () => {
	const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
	const context = await browser.newContext(what === 'read' ? { storageState: file } : {});
	const page = await context.newPage();
	await page.goto(url);
	const answer = await page.evaluate(`(${code})()`);
	if (what === 'write')
		await context.storageState({ path: file, indexedDB: true });
	console.log(JSON.stringify(answer ?? null));
	await browser.close();
})();
