/* Registering a service worker fails as it does where service workers are switched off, so that pages go on without. */
if (navigator.serviceWorker)
	navigator.serviceWorker.register = async () => { throw new DOMException('Service workers are blocked', 'SecurityError'); };
