#include "support/page_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUEST_MAX 8192

/* By the beginning of the path; the last one is all others. */
static const struct {
	const char *path, *text;
	const char *type; /* NULL: text/html */
} page_table[] = {
	/* /many?500: a page that is loaded when that many requests have been answered. */
	{ "/many", "<!DOCTYPE html><title>Many</title><script>for (let i = 0; i < location.search.slice(1); i++)"
		   "document.write(`<script defer src=/script?${i}></${'script'}>`)</script>" },
	{ "/script", "0", "text/javascript" },
	/* /table?1000: that many rows of seven elements. */
	{ "/table", "<!DOCTYPE html><title>Table</title><table id=t></table><script>"
		    "t.innerHTML = Array.from({ length: location.search.slice(1) }, (_, i) => `<tr><td>${i}</td>"
		    "<td><a href='/item/${i}'>Item number ${i}</a></td><td>in stock, ${i * 7 % 13} left</td>"
		    "<td><button>Order ${i}</button></td></tr>`).join('')</script>" },
	{ "/form", "<!DOCTYPE html><title>Form</title><h1>Order</h1><form action=/done>"
		   "<label>First name <input id=f0 name=f0></label><label>Last name <input id=f1 name=f1></label>"
		   "<label>Street <input id=f2 name=f2></label><label>City <input id=f3 name=f3></label>"
		   "<label>Country <input id=f4 name=f4></label><label>Size <select id=s name=s><option>small<option>large"
		   "</select></label><label><input id=c name=c type=checkbox>I agree</label><button id=b>Send</button></form>" },
	{ "/login", "<!DOCTYPE html><title>Login</title><form action=/done><label>User <input name=user></label>"
		    "<label>Password <input type=password name=password></label><button id=b>Sign in</button></form>" },
	/* Frames in frames. */
	{ "/frames", "<!DOCTYPE html><title>Frames</title><iframe src=/middle></iframe><iframe src=/inner></iframe>" },
	{ "/middle", "<!DOCTYPE html><title>Middle</title><iframe src=/inner></iframe>" },
	{ "/inner", "<!DOCTYPE html><title>Inner</title><button id=b>press</button><input id=i ondragover='event.preventDefault()'>"
		    "<p id=d draggable=true>drag</p>" },
	{ "/done", "<!DOCTYPE html><title>Done</title><h1>Thank you</h1><p>Your order is on its way.</p>" },
	{ "", "<!DOCTYPE html><title>Bench</title><h1>Bench</h1>"
	      "<button id=b onclick='this.textContent=++window.n' >0</button><input id=i>"
	      "<p id=d draggable=true ondragover='event.preventDefault()'>drag</p>"
	      "<script>window.n=0</script>" },
};

/* `request` begins with "GET /path". */
static void answer(int fd, const char *request)
{
	const char *path = request + strcspn(request, " ");
	char text[2048];
	size_t i = 0;
	int len;

	path += strspn(path, " ");
	while (strncmp(path, page_table[i].path, strlen(page_table[i].path)) != 0)
		i++;
	len = snprintf(text, sizeof(text),
		       "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		       "Cache-Control: no-store\r\n\r\n%s",
		       page_table[i].type ? page_table[i].type : "text/html", strlen(page_table[i].text), page_table[i].text);
	if (write(fd, text, (size_t)len) < 0)
		return;
}

/* Requests have no bodies, so an empty line ends each. */
static void *serve_connection(void *data)
{
	int fd = (int)(intptr_t)data;
	char request[REQUEST_MAX + 1];
	size_t len = 0;
	ssize_t n;
	char *end;

	while ((n = read(fd, request + len, REQUEST_MAX - len)) > 0) {
		len += (size_t)n;
		request[len] = '\0';
		while ((end = strstr(request, "\r\n\r\n"))) {
			answer(fd, request);
			len -= (size_t)(end + 4 - request);
			memmove(request, end + 4, len + 1);
		}
	}
	close(fd);
	return NULL;
}

static void *accept_connections(void *data)
{
	int listener = (int)(intptr_t)data, fd, one = 1;
	pthread_t thread;

	while ((fd = accept(listener, NULL, NULL)) >= 0) {
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		if (pthread_create(&thread, NULL, serve_connection, (void *)(intptr_t)fd) == 0)
			pthread_detach(thread);
		else
			close(fd);
	}
	return NULL;
}

int page_server_start(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	pthread_t thread;

	if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 || listen(listener, 128) < 0 ||
	    getsockname(listener, (struct sockaddr *)&address, &size) < 0 ||
	    pthread_create(&thread, NULL, accept_connections, (void *)(intptr_t)listener) != 0) {
		perror("page server");
		exit(1);
	}
	pthread_detach(thread);
	return ntohs(address.sin_port);
}
