/* Registering a service worker has no effect but a warning, as with @playwright/mcp, so that pages go on without one. */
if (navigator.serviceWorker)
	navigator.serviceWorker.register = async () => { console.warn('Service Worker registration blocked by Playwright'); };
