/* All limits on the resources that a peer can make browserd use. In bytes unless the name or comment gives another unit. */
#pragma once

#define LIMIT_LINE (10u << 20)                /* one JSON-RPC message on stdin; longer ones are skipped and refused */
#define LIMIT_JSON_DEPTH 64u                  /* nesting of a client's message */
#define LIMIT_BATCH_COUNT 100u                /* messages in one JSON-RPC batch (2025-03-26) */
#define LIMIT_ID 256u                         /* a JSON-RPC id or progress token, as text */
#define LIMIT_CALLS_COUNT 256u                /* tool calls in flight on one connection */
#define LIMIT_OWNER_CALLS_COUNT 256u          /* tool calls in flight on all connections of one owner */
#define LIMIT_SUBSCRIPTIONS_COUNT 256u        /* subscriptions of one connection, and URIs in all of them */
#define LIMIT_URI 2048u                       /* the URI of a subscribed resource */
#define LIMIT_SEEN_CALLS_COUNT 50u            /* calls of a session that are kept for people, who look at it later */
#define LIMIT_SEEN_LINE 240u                  /* what one of them does, in words */
#define LIMIT_SHOWN_MASKED 4096u              /* of a text for people in which secrets are looked for before it is cut */
#define LIMIT_SEEN_TITLE 200u                 /* the title of a page in it */
#define LIMIT_GLANCE (64u << 10)              /* what a document says, for people */
#define LIMIT_GLANCES_COUNT 8u                /* documents that are read for people at a time */
#define LIMIT_VIEWER_CARDS_COUNT 60u          /* sessions that one viewer is shown at a time */
#define LIMIT_VIEWER_UNSENT (256u << 10)      /* bytes that a viewer has not taken; until it has, nothing new is made for it */
#define LIMIT_VIEWER_MESSAGES_PER_SECOND 200u /* of a viewer */
#define LIMIT_VIEWER_MESSAGES_BURST 400u      /* further ones at once; with more it is sent away */
#define LIMIT_VIEWER_DEPTH 8u                 /* nesting of its messages */
#define LIMIT_FOCUS_EVENTS_COUNT 100u         /* events of a page in one message to a viewer; the next message goes on */
#define LIMIT_SEEN_TOOL 128u                  /* the name of its tool, which a page may have chosen */
#define LIMIT_BATCH_STEPS 50u                 /* calls of tools in one browser_batch */
#define LIMIT_BATCH_RESULT 2000u              /* of what each of them answers in its answer */
#define LIMIT_BATCH_RESULT_LINES 40u          /* lines of that */
#define LIMIT_BATCH_MEDIA (16u << 20)         /* pictures in its answer; it stops after the step that crosses it */
#define LIMIT_ASKED_COUNT 1024u               /* input requests sent in results (2026-07-28) that await the client's retry */
#define LIMIT_ASKED_BYTES (4u << 20)      /* memory of these and the responses of earlier rounds; one takes at most a sixteenth */
#define LIMIT_MCP_TASKS_COUNT 1024u       /* calls that are tasks for their clients, running or ended; one owner has at most half */
#define LIMIT_MCP_TASK_BYTES (32u << 20)  /* responses of ended tasks that are kept; those of one owner have at most half */
#define LIMIT_LOG_HELD_COUNT 1000u        /* log messages until their format is known */
#define LIMIT_LOGS_PER_SECOND 100u        /* log messages sent to one client */
#define LIMIT_TASKS_COUNT 1024u           /* live tasks in the process */
#define LIMIT_TASK_STACK (256u << 10)     /* address space of one task's stack */
#define LIMIT_FAILURE_WRAPS (1u << 20)    /* what all layers above a failure say about it */
#define LIMIT_CDP_MESSAGE (64u << 20)     /* one message of the browser; longer ones are skipped and their call fails */
#define LIMIT_CDP_EVENT (16u << 20)       /* one event; longer ones are dropped, but for those without which a page hangs or lies */
#define LIMIT_HTTP_BODY (1u << 20)        /* the response of a debugging port that describes its browser */
#define LIMIT_ENDPOINT (16u << 10)        /* the address of a running browser, one header field for it */
#define LIMIT_ENDPOINTS_COUNT 32u         /* addresses of browsers that sessions are spread over */
#define LIMIT_ENDPOINT_FIELDS (32u << 10) /* all header fields for it */
#define LIMIT_DIAL_ADDRESSES_COUNT 8u     /* addresses of one host that are tried */
#define LIMIT_VALUE (4u << 20)            /* the value of an expression of a client, as the browser sends it */
#define LIMIT_BODY_SHOWN (1u << 20)       /* a body of a request or response in an answer; the rest is left out */
#define LIMIT_CDP_DEPTH 512u              /* nesting of a browser's message */
#define LIMIT_SNAPSHOT (64u << 20)        /* the snapshot of a page with all its frames; larger ones fail */
#define LIMIT_SNAPSHOTS (64u << 20)       /* all snapshots and texts of pages that are being taken at a time */
#define LIMIT_SNAPSHOT_LEAST (4u << 20)   /* of each of them, however much the others have */
#define LIMIT_VIEW_ROWS_COUNT 100000u     /* rows of a captured page in the short notation; larger pages fail */
#define LIMIT_VIEW_BYTES (16u << 20)      /* their texts */
#define LIMIT_VIEW_KEPT (4u << 20)       /* bytes of a captured page that is kept for differences; after larger ones comes a view */
#define LIMIT_OWNER_VIEWS (64u << 20)    /* views and cursors of all sessions of one owner; beyond it the largest are forgotten */
#define LIMIT_VIEW 4096u                 /* a view of a page in an answer, unless the call asks for more */
#define LIMIT_ANSWER 9000u               /* an answer in the compact form, of which clients show 10 KiB */
#define LIMIT_ANSWER_LINES_COUNT 240u    /* its lines, of which clients show 256 */
#define LIMIT_CURSOR_NAME 32u            /* a cursor or revision in a call */
#define LIMIT_CURSORS_COUNT 64u          /* cursors of a session; the oldest is forgotten */
#define LIMIT_CURSOR_BYTES (16u << 20)   /* pages and texts that they keep; the oldest are forgotten, but for the newest */
#define LIMIT_REST_BYTES (4u << 20)      /* the same of a client's cursors, which lead to texts only */
#define LIMIT_CURSOR_ITEMS_COUNT 10000u  /* matches that one cursor leads to */
#define LIMIT_READ (4u << 20)            /* the text of a page that is read, with all its frames */
#define LIMIT_READ_HEADINGS_COUNT 24u    /* that are named instead of a section that is not there */
#define LIMIT_READ_ANSWER 8500u          /* the part of it in one answer, which has LIMIT_ANSWER in all */
#define LIMIT_READ_LINES_COUNT 230u      /* its lines, of which clients show 256 */
#define LIMIT_ATTACHMENTS_COUNT 1000u    /* pages of an attached browser that no session uses, whose attachments are remembered */
#define LIMIT_CDP_SESSIONS_COUNT 10000u  /* attachments to the targets of one browser; later targets are left alone */
#define LIMIT_FRAMES_COUNT 2000u         /* frames of a page, of which Chromium allows half; further ones are not known */
#define LIMIT_FRAME_DEPTH 100u           /* frames in each other; deeper ones count as less deep */
#define LIMIT_FRAME_URL (2u << 20)       /* the address of a frame, as long as Chromium's may be; longer ones are cut */
#define LIMIT_FRAME_NAME (64u << 10)     /* the name of a frame; longer ones are cut */
#define LIMIT_FRAME_TEXTS (2u << 20)     /* addresses and names of all frames of a page but the main one; what crosses it is cut */
#define LIMIT_FRAME_TEXT_LEAST 1024u     /* of each of them that is kept in any case */
#define LIMIT_ORIGIN 512u                /* an origin that a session has visited; host names have 253 bytes at most */
#define LIMIT_DIALOG_MESSAGE (64u << 10) /* the text of an open dialog, which is cut */
#define LIMIT_CDP_PENDING (64u << 20)    /* bytes waiting to be sent to the browser, which pages share */
#define LIMIT_CDP_RESERVE (4u << 20)     /* further ones, for what has to reach the browser and is for no page */
#define LIMIT_STDOUT_PENDING (128u << 20)   /* bytes waiting for a client that does not read */
#define LIMIT_BROWSER_STDERR (16u << 10)    /* last output of the browser, kept for error messages */
#define LIMIT_VIEWER_NAME 100u              /* what is kept of the name of a person who has control of a session */
#define LIMIT_USER_MESSAGE 2000u            /* bytes of what an agent asks of a person */
#define LIMIT_USER_TEXT 1000u               /* bytes of what the person answers, or of a choice */
#define LIMIT_USER_CHOICES_COUNT 10u        /* answers to choose from */
#define LIMIT_USER_REQUESTS_COUNT 4u        /* requests to a person that are pending in a session */
#define LIMIT_SESSION_NAME 256u             /* a session id chosen by the client (lazy sessions) */
#define LIMIT_SESSION_SETTINGS (64u << 10)  /* settings of a session, as JSON: its header fields, its place... */
#define LIMIT_OWNER_PAGES_FACTOR 2u         /* windows that pages of one owner open, times the pages of one session */
#define LIMIT_MEMORY_PROCESSES_COUNT 100u   /* processes whose memory is read in one turn of the loop; each takes 80 us at most */
#define LIMIT_TREE_PROCESSES_COUNT 20000u   /* processes whose memory is added up; those beyond it are left out */
#define LIMIT_CHILDREN_COUNT 4000u          /* of one process, likewise */
#define LIMIT_REFUSED_WINDOWS_COUNT 50u     /* windows beyond the limits; a page that goes on before the next answer is closed */
#define LIMIT_SHARED_WORKERS_BURST 100u     /* service workers and shared workers that the pages of a context start */
#define LIMIT_SHARED_WORKERS_PER_MINUTE 60u /* further ones */
#define LIMIT_CLIPBOARD (4u << 20)          /* what a page copies; larger texts are not copied */
#define LIMIT_PAGE_ANSWERS (1u << 20)       /* answers of a kind on the way to a page, before the last one; further ones wait */
#define LIMIT_ISOLATED_CONTEXTS_COUNT 8u    /* isolated contexts of browser_tabs in a session */
#define LIMIT_ISOLATED_NAME 128u            /* the name of one */
#define LIMIT_EXPIRED_COUNT 1024u           /* expired session ids that are remembered */
#define LIMIT_TITLE 4096                    /* a page title in a response, in UTF-16 units */
#define LIMIT_URL (64u << 10)               /* a URL given to navigate */
#define LIMIT_SELECTOR (16u << 10)          /* a selector */
#define LIMIT_ARGUMENT (16u << 10)          /* a string in the arguments of a tool whose parameter has no other limit */
#define LIMIT_ARGUMENT_ITEMS_COUNT 1000u    /* strings of a list in them */
#define LIMIT_COMPLAINTS_COUNT 16u          /* errors in them, or in the steps of a call, that a failure names */
#define LIMIT_STORED_VALUE (10u << 20)      /* a value for the storage of a page, which takes 5 Mi UTF-16 units */
#define LIMIT_PATH 4095u                    /* the path of a file that a client names, in its absolute form */
#define LIMIT_PATH_NAMES_COUNT 100u         /* its names: directories and the file */
#define LIMIT_STYLE (16u << 10)             /* CSS declarations for what is drawn over a page */
#define LIMIT_TYPE_TEXT (1u << 20)          /* text for one type call */
#define LIMIT_EXPRESSION (1u << 20)         /* JavaScript for one evaluate call */
#define LIMIT_CODE_MESSAGE (6u << 20)       /* what client code returns or passes to the page at a time: a routed body as base64 */
#define LIMIT_CODE_PIECE (256u << 10)       /* UTF-16 units of its pieces, which are read in turns of their own */
#define LIMIT_EXPOSED_ARGUMENTS (1u << 20)  /* UTF-16 units that a page passes to a function of client code */
#define LIMIT_CODE_ROUTES_COUNT 1000u       /* routes of client code in a session */
#define LIMIT_CODE_REQUESTS_COUNT 1000u     /* requests that wait for the code of their routes; further ones fail */
#define LIMIT_CODE_CALLS_COUNT 100u         /* calls of pages that wait for client code; further ones fail */
#define LIMIT_CODE_OPERATIONS_COUNT 64u     /* concurrent operations of one run of client code */
#define LIMIT_CODE_ANSWERS_COUNT 64u        /* concurrent answers of it to requests and calls of pages; further ones wait */
#define LIMIT_ALL_OPERATIONS_COUNT 512u     /* both of all sessions, half of LIMIT_TASKS_COUNT; sessions and owners share it */
#define LIMIT_FETCH_PAGES_COUNT 4u          /* requests that client code sends at a time in a session; further ones wait */
#define LIMIT_INIT_SCRIPTS_COUNT 64u        /* scripts that client code adds to the documents of a page, or of a context */
#define LIMIT_INIT_SCRIPTS (4u << 20)       /* their texts for a context and all of its pages, of which each frame gets its part */
#define LIMIT_DOWNLOADS_COUNT 100u          /* downloads of a session that are in progress or not yet reported */
#define LIMIT_DOWNLOAD_BYTES (8ull << 30)   /* their total size, over stdio; over HTTP it is LIMIT_OWNER_FILES_BYTES for an owner */
#define LIMIT_UPLOAD_COPIES (8ull << 30)    /* copies of uploaded files that cannot be hard-linked */
#define LIMIT_UPLOAD_FILES_COUNT 10000u     /* files of an uploaded directory */
#define LIMIT_UPLOADS_COUNT 50000u          /* files that pages of a session are given in all */
#define LIMIT_UPLOAD_DEPTH 32u              /* nesting of directories in an uploaded directory */
#define LIMIT_SAVED_COUNT 1000u             /* files that are remembered as former downloads */
#define LIMIT_SCROLL 1000000u               /* CSS pixels in one call */
#define LIMIT_CLICKS 1000u                  /* in a row */
#define LIMIT_CLICK_DELAY_MSEC 30000u       /* between press and release */
#define LIMIT_RECORDED_COUNT 1000u          /* actions of the user in one recording; later ones are dropped */
#define LIMIT_RECORDED_PAGES_COUNT 64u      /* pages that it distinguishes; pages beyond share one name */
#define LIMIT_VIDEO_FILES_COUNT 64u         /* files of one recording of a context; pages opened later are not recorded */
#define LIMIT_VIDEO_BYTES (1024u << 20)     /* one of these files, which ends there */
#define LIMIT_VIDEO_TIME 3600u              /* seconds, after which it ends */
#define LIMIT_VIDEO_RATE 60u                /* frames of a second */
#define LIMIT_VIDEO_PIXELS 250000000.0      /* pixels of a second, of the size that a client asks for: 3,840 x 2,160 at 30 frames */
#define LIMIT_ARCHIVE_BYTES (64u << 20)     /* entries of the HTTP archive of a context; later bodies and requests are left out */
#define LIMIT_ARCHIVE_BODY (16u << 20)      /* a response body in it, as transferred */
#define LIMIT_ARCHIVE_FILES (1024u << 20)   /* response bodies in files beside it; later ones go into the archive */
#define LIMIT_ARCHIVE_REQUESTS_COUNT 20000u /* requests in it */
#define LIMIT_ARCHIVE_PAGES_COUNT 1000u     /* pages in it */
#define LIMIT_ARCHIVES_COUNT 100u           /* archives that are recorded at a time with the same name */
#define LIMIT_MARK_TIME 60000.0             /* milliseconds that a chapter card or the mark of an action is shown */
#define LIMIT_VIDEO_FRAGMENT (64u << 20)    /* what the browser records between two key frames */
#define LIMIT_DRAG_STEPS 100u               /* mouse positions between the two ends of a drag */
#define LIMIT_PROFILE_WAIT 5000000ull       /* microseconds to wait for a browser that has the profile and may be ending */
#define LIMIT_VIEWPORT 16384u               /* CSS pixels, each side of a page */
#define LIMIT_CONFIG (1u << 20)             /* a config file */
#define LIMIT_CONFIG_LINES_COUNT 2000u      /* values in a config file in INI form */
#define LIMIT_SCRIPT (4u << 20)             /* an initialisation script */
#define LIMIT_STORAGE_STATE (16u << 20)     /* a file of cookies and local storage */
#define LIMIT_UNANSWERED 5000000ull         /* microseconds that a call waits for a page that has not replied to an earlier one */
#define LIMIT_CONTROL_UNUSED 1800000000ull  /* microseconds without input after which a person's control of a session ends */
#define LIMIT_CONTROL_ABSENT 120000000ull   /* the same after the viewer has left */
#define LIMIT_PATIENCE_FACTOR 6.            /* times longer, with that many threads for each processor (loop/patience.h) */
#define LIMIT_BUSY 1000000ull               /* microseconds by which a page may overrun its own timeout before it counts as busy */
#define LIMIT_CALL_TIMEOUT 3600000000ull    /* microseconds of an action or navigation whose time limit is given as 0 */
#define LIMIT_STATE_DATABASES (8u << 20)    /* characters of the databases in a saved state; those beyond are left out */
#define LIMIT_STATES_COUNT 100u             /* named states of an owner in the state store */
#define LIMIT_STATES_BYTES (256ull << 20)   /* and their bytes, in a folder */
#define LIMIT_STATE_ENTRIES_COUNT 10000u    /* entries of that folder that are looked at */
#define LIMIT_STATE_ORIGINS_COUNT 100u      /* origins to which one is bound */
#define LIMIT_STORE_VALUE (16u << 20)       /* a value in the state store */
#define LIMIT_STORE_REPLY (17u << 20)       /* one reply of it; with more the connection is closed */
#define LIMIT_STORE_REPLY_COUNT 20000u      /* elements of a list in it */
#define LIMIT_STORE_PENDING (32u << 20)     /* commands that it has not answered; further ones wait */
#define LIMIT_STORE_COMMANDS_COUNT 10000u   /* their number */
#define LIMIT_STORE_TIME 5000000ull         /* microseconds for each of them */
#define LIMIT_STORE_PAUSE 2000000ull        /* microseconds between two attempts to connect to it */
#define LIMIT_STORE_PASSWORD 4096u          /* its password */
#define LIMIT_SEALED (16u << 20)            /* the text of a sealed document, which is encrypted in one turn of the loop: 15 ms */
#define LIMIT_VAULT (4u << 20)              /* the text of a vault of logins */
#define LIMIT_MASKS_ADDED_COUNT 256u        /* values that logins have filled and that are masked; each is 1 KiB at most */
#define LIMIT_LOGINS_COUNT 1000u            /* logins in it */
#define LIMIT_LOGIN_TEXT 1024u              /* the user name or the password of one */
#define LIMIT_LOGIN_ORIGINS_COUNT 32u       /* its origins */
#define LIMIT_LOGIN_OWNERS_COUNT 256u       /* owners that may use it */
#define LIMIT_ORIGINS_COUNT 1000u           /* origins whose storage a session's storage state has */
#define LIMIT_ROUTES_COUNT 100u             /* routes of browser_route in a session */
#define LIMIT_ROUTE_WAITING_COUNT 1000u     /* requests of a context that wait for the comparison with routes */
#define LIMIT_ROUTE_STEPS 400000u           /* steps of comparing URLs with routes of a context in a turn: 2 ms */
#define LIMIT_GLOB 4096u                    /* a glob pattern */
#define LIMIT_GLOB_STEPS 1000000u           /* steps of comparing it with one URL, 5 ns each; then it is given up */
#define LIMIT_ROUTE_BODY (4u << 20)         /* the body that one of them answers with */
#define LIMIT_CHANGED_REQUESTS_COUNT 64u    /* requests with changed header fields whose redirects are recognised, of a session */
#define LIMIT_CHALLENGES_COUNT 1024u        /* requests of a session that have sent credentials */
#define LIMIT_PAGE_EVENTS_PER_SECOND 2000u  /* events that a page may cause; a page that causes more is slowed down */
#define LIMIT_PAGE_EVENTS_BURST 8000u       /* further ones that a page which was calm may cause at once */
#define LIMIT_PAGE_EVENTS_AHEAD 500u        /* events of a page between two signs of life of the browser */
#define LIMIT_PAGE_EVENT_BYTES 4096u        /* bytes of an event that count as one more */
#define LIMIT_MAIN_PROCESS_SHARE 200u       /* milliseconds of a second that slowed pages take of the main process */
#define LIMIT_SUSPICION 5000000ull          /* microseconds of that process that a page may be one of several possible causes of */
#define LIMIT_SUSPICION_SHARE 100u          /* the same for each second: milliseconds */
#define LIMIT_CAST_FRAME (8u << 20)         /* a live picture of a page as the browser sends it; larger ones are dropped */
#define LIMIT_CAST_QUALITY 60               /* of these JPEG files, of 100 */
#define LIMIT_CAST_WIDTH 1920               /* their pixels */
#define LIMIT_CAST_HEIGHT 1920              /* likewise */
#define LIMIT_CAST_LEAST 64                 /* likewise, of each side of what a viewer asks for */
#define LIMIT_CAST_RATE 15u                 /* pictures in a second, which the pages that change share */
#define LIMIT_CASTS_COUNT 256u              /* pages that are watched at a time; further viewers see no pictures */
#define LIMIT_INPUT_EVENTS_COUNT 256u       /* input of a person that waits for the page; further events are dropped */
#define LIMIT_INPUT_TEXT (1u << 20)         /* its texts */
#define LIMIT_KEY_NAME 32u                  /* bytes of the name of a key, and of what it types */
#define LIMIT_WATCHES_COUNT 64u             /* live pictures on the page of one viewer */
#define LIMIT_PICTURES_UNSENT (256u << 10)  /* bytes that wait for a viewer, which gets no picture before it has read them */
#define LIMIT_REST_FILES_TIME 10u           /* seconds for which a page that was given files does not rest */
#define LIMIT_REST_REQUEST_TIME 60u         /* seconds for which a request of the last call keeps a page from resting */
#define LIMIT_LOAD_SUSPECTS_COUNT 16u       /* that are stopped to find the cause */
#define LIMIT_LOAD_PROCESSES_COUNT 1000u    /* among which these are */
#define LIMIT_GPU_BUSY 700000ull            /* microseconds of work of the graphics process without a pause */
#define LIMIT_GPU_MEMORY (2048ull << 20)    /* of that process */
#define LIMIT_OPEN_REQUESTS_COUNT 1000u     /* open requests of a page that settling tracks; the oldest are dropped first */
#define LIMIT_OBSERVED_COUNT 10000u         /* events that a page's journal holds */
#define LIMIT_OBSERVED_BYTES (8u << 20)     /* memory of a page's journal, which one event or 64 KiB may exceed briefly */
#define LIMIT_OWNER_JOURNALS (64u << 20)    /* the journals of one owner, or the largest that it has asked for */
#define LIMIT_OBSERVED_TEXT 64000u          /* a console message, a WebSocket frame */
#define LIMIT_OBSERVED_MESSAGE \
	(8u \
	 << 20) /* the browser's message with one, or with what a script sends; longer ones are dropped: reading 8 MiB takes up to 30 ms */
#define LIMIT_OBSERVED_URL (16u << 10)          /* a URL in an event */
#define LIMIT_OBSERVED_WORD 256u                /* methods, types, reasons and similar words in an event */
#define LIMIT_OBSERVED_HEADERS (16u << 10)      /* the headers of one request or response */
#define LIMIT_OBSERVED_HEADERS_COUNT 200u       /* headers of one request or response */
#define LIMIT_OBSERVED_ARGUMENTS_COUNT 100u     /* arguments of a console call whose boundaries are recorded */
#define LIMIT_OBSERVED_POST 64000u              /* a request body in a request event; larger ones are fetched on demand */
#define LIMIT_KEPT_BODY (10u << 20)             /* a body that Firefox keeps for getters; it keeps 200 MB of all pages */
#define LIMIT_OBSERVED_BODY (64u << 10)         /* a fetched request body, in the browser's encoding */
#define LIMIT_REDACT_NSEC 2000000u              /* processor time of searching a text for one pattern of the operator, */
#define LIMIT_REDACT_NSEC_PER_BYTE 100u         /* and for each byte of it; what is behind is left out */
#define LIMIT_OBSERVED_TEXT_MAX (4u << 20)      /* upper bound of maxBodyBytes, which raises the limits of bodies */
#define LIMIT_OBSERVED_BUFFER 100000u           /* events for which a client may size a buffer */
#define LIMIT_OBSERVED_EVENT 1600u              /* average memory of one of these events */
#define LIMIT_OBSERVED_ANSWER (4u << 20)        /* JSON of the events in one response, which ends with the event that crosses it */
#define LIMIT_OBSERVED_PARTS_COUNT 100u         /* URL substrings in a filter */
#define LIMIT_REGEX 4096u                       /* a regular expression that is matched with log lines or texts of events */
#define LIMIT_REGEX_TIME 2000000ull             /* microseconds for one search with a client's regular expression */
#define LIMIT_REGEX_IDLE_COUNT 8u               /* owners whose page for searching is kept open between their calls */
#define LIMIT_REGEX_TEXTS (128u << 10)          /* texts in one search, which ends with the text that crosses it */
#define LIMIT_ARTIFACT (16u << 20)              /* a file that is served as a resource */
#define LIMIT_ARTIFACT_AGE (24u * 3600u)        /* seconds since it was written */
#define LIMIT_ARTIFACTS_COUNT 1000u             /* files that are served as resources */
#define LIMIT_ARTIFACTS_BYTES (1024u << 20)     /* their total size; the oldest are no longer served first */
#define LIMIT_OWNER_FILES_AGE (24u * 3600u)     /* seconds that the files of an absent HTTP owner are kept */
#define LIMIT_OWNER_FILES_BYTES (1024ull << 20) /* files of one HTTP owner; nothing is written beyond it */
#define LIMIT_OWNER_FILES_COUNT 50000u          /* their number, and that of the directories in it */
#define LIMIT_OBSERVATIONS_COUNT 64u            /* targets with an observation buffer */
#define LIMIT_HTTP_FIELDS_COUNT 100u            /* header fields of an HTTP request */
#define LIMIT_HTTP_PENDING (64u << 20)          /* bytes waiting for an HTTP client that does not read */
#define LIMIT_HTTP_HELD (256u << 20)            /* requests and responses buffered by all HTTP connections together */
#define LIMIT_HTTP_REPLAY (4u << 20)            /* events of one HTTP session that are kept for resuming streams */
#define LIMIT_HTTP_REPLAY_OWNER (32u << 20)     /* the same for all sessions of one owner; then the older halves go */
#define LIMIT_HTTP_REPLAY_ALL (128u << 20)      /* the same for all sessions */
#define LIMIT_SOCKET_MESSAGE (64u << 10)        /* a message of a WebSocket client to the HTTP server */
#define LIMIT_SOCKET_TURN_COUNT 100u            /* frames of such a client that are handled before others have their turn */
#define LIMIT_SOCKET_PENDING (8u << 20)         /* bytes waiting for one that does not read */
#define LIMIT_VIEW_LOGINS_COUNT 1024u           /* logins to the live view; beyond, the oldest of who has the most ends */
#define LIMIT_VIEW_LOGINS_OWNER_COUNT 32u       /* logins of one owner by token; beyond, the oldest ends */
#define LIMIT_VIEW_LOGINS_SESSION_COUNT 16u     /* the same for logins by links to one session */
#define LIMIT_LINKS_COUNT 4096u                 /* valid links to sessions */
#define LIMIT_LINKS_OWNER_COUNT 64u             /* valid links of one owner */
#define LIMIT_VIEWS_COUNT 200u                  /* connections of live views */
#define LIMIT_VIEWS_OWNER_COUNT 50u             /* those of one owner */
#define LIMIT_VIEWS_LOGIN_COUNT 20u             /* those of one login */
#define LIMIT_HTTP_SUBJECTS_COUNT 1024u         /* token subjects that are tracked; the least recently seen is dropped */
#define LIMIT_HTTP_PEERS_COUNT 256u             /* client addresses whose requests are counted */
#define LIMIT_PEM (1u << 20)                    /* a file of certificates or a private key */
#define LIMIT_PROCESSORS_LIST 4096u             /* the kernel's list of processors */
#define LIMIT_SERVER_LOG_FILE (8u << 20)        /* one log file of a dev server; each of its streams has two */
#define LIMIT_SERVER_LOG (1u << 20)             /* log text in one response */
#define LIMIT_COMMAND_OUTPUT (1u << 20)         /* stdout of a server command, which contains its JSON result */
#define LIMIT_PROCESS_TEXT (1u << 20)           /* command line or environment of an inspected process */
#define LIMIT_COMMAND_ERRORS (16u << 10)        /* the end of a server command's stderr, for error messages */
#define LIMIT_SERVER_OUTPUT (64u << 10)         /* the end of a dev server's output, which is searched for its URL */
#define LIMIT_SERVER_UNREAD (1u << 20)          /* the end of its output that was not searched for readyLog yet */
#define LIMIT_SOCKS_CONNECTIONS_COUNT 512u      /* concurrent connections of one session's pages */
#define LIMIT_EGRESS_RULES_COUNT 64u            /* items of one egress rule list */
#define LIMIT_EGRESS_REPORTED_COUNT 5u          /* refused connections reported in one response */
#define LIMIT_EGRESS_REFUSALS_COUNT 32u         /* refused connections that a session keeps for its next responses */
#define LIMIT_EVIDENCE 1000000ull               /* microseconds for the screenshot of a failure */
#define LIMIT_EVIDENCE_ARGUMENTS (4u << 10)     /* arguments of the failed call that are reported with a failure */
#define LIMIT_EVIDENCE_CONSOLE_COUNT 50u        /* console errors reported with a failure */
#define LIMIT_PICTURE_SIDE 1568u                /* pixels of the longer side of a picture that a compact answer shows */
#define LIMIT_PICTURE_PIXELS 25000000u          /* of a picture; one of a larger page is scaled down: 1,280 x 19,531 */
#define LIMIT_PICTURE_PARTS_COUNT 100000        /* of a tall picture; the highest page that a browser lays out has 21,400 */
#define LIMIT_JWKS (1u << 20)                   /* a JSON Web Key Set */
#define LIMIT_JWKS_COUNT 64u                    /* keys that are kept of a key set */
#define LIMIT_ACCESS_TOKEN (16u << 10)          /* an access token */
#define LIMIT_TOKEN_MEMBERS_COUNT 256u          /* members of its header, and claims */
#define LIMIT_KNOWN_TOKENS_COUNT 1024u          /* verified tokens that are cached */
#define LIMIT_SUBJECT 512u                      /* the subject of a token */
#define LIMIT_CLOSED_ROOTS_COUNT 60u            /* closed shadow roots resolved in one CDP call */
#define LIMIT_CLOSED_ROOTS_CALLS_COUNT 8u       /* such calls before a page is read; later readings go on */
#define LIMIT_EVENT_PATH_COUNT 101u             /* nodes whose event listeners are queried; scripts/settle.js has one less */
#define LIMIT_LISTENERS (64u << 10)             /* the listeners of one node as the browser lists them, some 280 */
#define LIMIT_EVENT_TYPE 64u                    /* the name of an event in such a list */
#define LIMIT_TRACE_BYTES (256u << 20)          /* snapshots, pictures and bodies of one trace, on disk */
#define LIMIT_TRACE_LINES (32u << 20)           /* its other events */
#define LIMIT_TRACE_TIME 2000000ull     /* microseconds before or after a call for what the trace wants to know of the page */
#define LIMIT_TRACE_DOCUMENT (4u << 20) /* UTF-16 units of one document in a snapshot */
#define LIMIT_TRACE_DOCUMENTS_COUNT 50u /* documents in one snapshot */
#define LIMIT_TRACE_FRAMES_COUNT 1000u  /* frames whose last snapshot later ones may refer to */
#define LIMIT_TRACE_PAGES_COUNT 100u    /* pages of one trace at a time */
#define LIMIT_TRACE_BODY (8u << 20)     /* the body of a response, as it was transferred */
#define LIMIT_TRACE_PARTS_COUNT 10000u  /* files of one trace with bodies and pictures */
#define LIMIT_TRACE_RESULT (16u << 10)  /* the answer of a call; longer ones are left out */

#define LIMIT_WEBMCP_OUTPUT \
	(1u << 20) /* what a tool of a page (WebMCP) returns, as the browser sends it; with more the call fails */

/* Tools that a page registers by WebMCP. Those above a limit are not listed. */
#define LIMIT_WEBMCP_TOOLS_COUNT 64u        /* of a page */
#define LIMIT_WEBMCP_NAME 118u              /* with prefix and number 128, as MCP allows */
#define LIMIT_WEBMCP_TEXT (16u << 10)       /* description and schema together */
#define LIMIT_WEBMCP_PAGE_TEXT (128u << 10) /* the same for all tools of a page */
#define LIMIT_WEBMCP_DEPTH 32u              /* nesting of a schema */
#define LIMIT_WEBMCP_MEMBERS_COUNT 256u     /* members of one object in it */
#define LIMIT_WEBMCP_NAMES_COUNT 256u       /* names by which a client knows tools, those of removed tools included */

/* Pages that are opened again (browser/kept_page.h), and sessions that sleep (session/sleep.c). */
#define LIMIT_KEPT_HISTORY_COUNT 10    /* addresses before the current one that are kept of a page */
#define LIMIT_KEPT_FIELDS (256u << 10) /* characters of what was typed into its fields */
#define LIMIT_SLEEP (4u << 20)         /* compressed, what is kept of one session; without its storage if that is more */
#define LIMIT_SLEEP_ALL (256u << 20)   /* of all that sleep; beyond it, none is put to sleep */

/* Recordings of sessions (recordings/recordings.h). */
#define LIMIT_RECORDING_VIDEOS_COUNT 64u     /* files of one; pages opened later are not recorded */
#define LIMIT_RECORDING_TIMELINE (16u << 20) /* bytes of its timeline, which ends there */
#define LIMIT_RECORDING_NOTES_COUNT 20u      /* notes for people in its manifest; the timeline has all */
#define LIMIT_RECORDING_MANIFEST (16u << 10) /* bytes of its manifest */
#define LIMIT_RECORDINGS_LISTED_COUNT 100u   /* the latest of an owner, which people see in a list */
#define LIMIT_RECORDINGS_NAMES_COUNT 20000u  /* entries of a folder of recordings that are looked at */
