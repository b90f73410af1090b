#include "engine/network.h"

#include <stdlib.h>

void intercepted_request_done(struct intercepted_request *q)
{
	free(q->id);
	free(q->network_id);
	free(q->redirected_from);
	free(q->frame_id);
	free(q->url);
	free(q->method);
	free(q->type);
	free(q->post_data);
	header_list_done(&q->headers);
	free(q->response.status_text);
	header_list_done(&q->response.headers);
}

void fetched_body_done(struct fetched_body *b)
{
	json_freep(&b->reply);
}
