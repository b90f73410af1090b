/* Every bound on what a peer may make browserd hold or do. Bytes unless the name says otherwise. */
#pragma once

#define LIMIT_LINE (10u << 20)          /* one JSON-RPC message on stdin; longer ones are skipped and refused */
#define LIMIT_JSON_DEPTH 64u            /* nesting of a client's message */
#define LIMIT_BATCH_COUNT 100u          /* messages in one JSON-RPC batch (2025-03-26) */
#define LIMIT_ID 256u                   /* a JSON-RPC id or progress token as text */
#define LIMIT_CALLS_COUNT 256u          /* tool calls in flight on one connection */
#define LIMIT_OWNER_CALLS_COUNT 256u    /* the same on all connections of one owner */
#define LIMIT_SUBSCRIPTIONS_COUNT 256u  /* of one connection, and URIs in one of them */
#define LIMIT_URI 2048u                 /* a resource that is subscribed to */
#define LIMIT_ASKED_COUNT 1024u         /* questions in answers (2026-07-28) whose retries are awaited */
#define LIMIT_ASKED_BYTES (4u << 20)    /* the same, with the answers of former rounds; one has a sixteenth at most */
#define LIMIT_LOGS_PER_SECOND 100u      /* log messages sent to one client */
#define LIMIT_TASKS_COUNT 1024u         /* live tasks in the process */
#define LIMIT_TASK_STACK (256u << 10)   /* address space of one task's stack */
#define LIMIT_CDP_MESSAGE (64u << 20)   /* one message of the browser; longer ones are skipped, their call fails */
#define LIMIT_HTTP_BODY (1u << 20)      /* what a debugging port says about its browser */
#define LIMIT_CDP_DEPTH 512u            /* nesting of a browser's message */
#define LIMIT_SNAPSHOT (64u << 20)      /* the snapshot of one document; larger ones fail */
#define LIMIT_CDP_PENDING (64u << 20)   /* bytes waiting to be sent to the browser */
#define LIMIT_STDOUT_PENDING (128u << 20) /* bytes waiting for a client that does not read */
#define LIMIT_BROWSER_STDERR (16u << 10) /* last output of the browser, kept for error messages */
#define LIMIT_SESSION_NAME 256u         /* a session id chosen by the client (--lazy-sessions) */
#define LIMIT_EXPIRED_COUNT 1024u       /* expired session ids that are remembered */
#define LIMIT_TITLE 4096               /* a page title in an answer, UTF-16 units */
#define LIMIT_URL (64u << 10)           /* a URL given to navigate */
#define LIMIT_SELECTOR (16u << 10)      /* a selector */
#define LIMIT_TYPE_TEXT (1u << 20)      /* text for one type call */
#define LIMIT_EXPRESSION (1u << 20)     /* JavaScript for one evaluate call */
#define LIMIT_CODE_MESSAGE (8u << 20)   /* UTF-16 units of what a caller's code gives, or hands to the page, at a time */
#define LIMIT_CODE_MESSAGES_COUNT 1024u /* of a caller's code that wait to be looked at; more are dropped */
#define LIMIT_CODE_OPERATIONS_COUNT 64u /* of one caller's code under way at a time */
#define LIMIT_CODE_ELEMENTS_COUNT 1000u /* that one evaluation may take */
#define LIMIT_DOWNLOADS_COUNT 100u      /* of a session, under way or with an end that nobody was told of */
#define LIMIT_DOWNLOAD_BYTES (8ull << 30) /* what they may have together */
#define LIMIT_UPLOAD_COPIES (8ull << 30) /* of files given to a session's pages that cannot have a second name */
#define LIMIT_UPLOAD_FILES_COUNT 10000u /* in a directory that is given to a page */
#define LIMIT_UPLOAD_DEPTH 32u          /* directories in each other in one */
#define LIMIT_SAVED_COUNT 1000u         /* files that are known to have been downloads */
#define LIMIT_SCROLL 1000000u          /* CSS pixels at a time */
#define LIMIT_DRAG_STEPS 100u          /* positions of the mouse between the two ends of a drag */
#define LIMIT_VIEWPORT 16384u          /* CSS pixels, each side of a page */
#define LIMIT_CONFIG (1u << 20)         /* a config file */
#define LIMIT_SCRIPT (4u << 20)         /* an initialisation script */
#define LIMIT_STORAGE_STATE (16u << 20) /* a file of cookies and local storage */
#define LIMIT_BUSY 1000000ull             /* microseconds that a page may be late to say that its time is over */
#define LIMIT_OPEN_REQUESTS_COUNT 1000u   /* of a page that settling knows; the oldest ones are forgotten first */
#define LIMIT_OBSERVED_COUNT 10000u       /* events that a page's journal holds */
#define LIMIT_OBSERVED_BYTES (8u << 20)   /* memory of a page's journal; it is one event or 64 KiB above it for a moment */
#define LIMIT_OBSERVED_TEXT 64000u        /* a console message, a WebSocket frame */
#define LIMIT_OBSERVED_URL (16u << 10)    /* a URL in an event */
#define LIMIT_OBSERVED_WORD 256u          /* methods, types, reasons and the like in an event */
#define LIMIT_OBSERVED_HEADERS (16u << 10) /* the headers of one request or response */
#define LIMIT_OBSERVED_HEADERS_COUNT 200u /* how many of them */
#define LIMIT_OBSERVED_ARGUMENTS_COUNT 100u /* arguments of a console call whose ends are known */
#define LIMIT_OBSERVED_POST 64000u        /* a request's body that the browser tells with the request; larger ones it keeps */
#define LIMIT_OBSERVED_BODY (64u << 10)   /* the same, in the browser's encoding */
#define LIMIT_OBSERVED_TEXT_MAX (4u << 20)  /* the same two, and bodies in answers, as far as maxBodyBytes may raise it */
#define LIMIT_OBSERVED_BUFFER 100000u     /* events that a buffer may be asked to hold */
#define LIMIT_OBSERVED_EVENT 1600u        /* memory that each of these events may take on average */
#define LIMIT_OBSERVED_ANSWER (4u << 20)  /* JSON of events in one answer; it ends with the event that crosses it */
#define LIMIT_OBSERVED_PARTS_COUNT 100u   /* parts of URLs in a filter */
#define LIMIT_PATTERN 1000u               /* characters of a regular expression with its repetitions written out; base/pattern.h says it, too */
#define LIMIT_PATTERN_DEPTH 30u           /* parentheses in each other in one */
#define LIMIT_ARTIFACT (16u << 20)        /* a file that is read as a resource */
#define LIMIT_ARTIFACT_AGE (24u * 3600u)  /* seconds since it was written */
#define LIMIT_ARTIFACTS_COUNT 1000u       /* files that are resources */
#define LIMIT_ARTIFACTS_BYTES (1024u << 20) /* of them all; the oldest ones cease to be resources first */
#define LIMIT_OWNER_FILES_AGE (24u * 3600u) /* seconds that a file stays that an owner over HTTP has left */
#define LIMIT_OWNER_FILES_BYTES (1024ull << 20) /* of one owner's files, looked at once a minute; the oldest ones go */
#define LIMIT_OBSERVATIONS_COUNT 64u      /* targets with a buffer of their own */
#define LIMIT_HTTP_FIELDS_COUNT 100u      /* header fields of an HTTP request */
#define LIMIT_HTTP_PENDING (64u << 20)    /* bytes waiting for an HTTP client that does not read */
#define LIMIT_HTTP_HELD (256u << 20)      /* bytes of requests and answers that all HTTP connections hold together */
#define LIMIT_HTTP_REPLAY (4u << 20)      /* events of one HTTP session that are kept for streams that were cut */
#define LIMIT_HTTP_REPLAY_OWNER (32u << 20) /* of all sessions of one owner */
#define LIMIT_HTTP_REPLAY_ALL (128u << 20) /* of all sessions */
#define LIMIT_HTTP_SUBJECTS_COUNT 1024u   /* of tokens, that are told apart; the one not seen for longest is forgotten */
#define LIMIT_HTTP_PEERS_COUNT 256u       /* addresses whose requests are counted */
#define LIMIT_PEM (1u << 20)               /* a file of certificates, or of a key */
#define LIMIT_SERVER_LOG_FILE (8u << 20)  /* one file of a dev server's log; there are two for each of its streams */
#define LIMIT_SERVER_LOG (1u << 20)       /* a log in one answer */
#define LIMIT_COMMAND_OUTPUT (1u << 20)   /* stdout of a server command, in which its answer is looked for */
#define LIMIT_PROCESS_TEXT (1u << 20)     /* command line or environment of a process that is looked at */
#define LIMIT_COMMAND_ERRORS (16u << 10)  /* the end of its stderr, for error messages */
#define LIMIT_SERVER_OUTPUT (64u << 10)   /* the end of what a dev server printed, in which its address is looked for */
#define LIMIT_SOCKS_CONNECTIONS_COUNT 512u /* that the pages of one session have open at a time */
#define LIMIT_EGRESS_RULES_COUNT 64u        /* items of one --egress */
#define LIMIT_EGRESS_REPORTED_COUNT 5u         /* of these in one answer */
#define LIMIT_EGRESS_REFUSALS_COUNT 32u     /* refused connections that a session remembers for its answers */
#define LIMIT_EVIDENCE 1000000ull          /* microseconds that the picture of a failure may take */
#define LIMIT_EVIDENCE_ARGUMENTS (4u << 10) /* of the call that failed, in its failure */
#define LIMIT_EVIDENCE_CONSOLE_COUNT 50u   /* console errors in a failure */
#define LIMIT_JWKS (1u << 20)              /* a set of an issuer's keys */
#define LIMIT_JWKS_COUNT 64u               /* keys that are kept of it */
#define LIMIT_ACCESS_TOKEN (16u << 10)     /* a client's token */
#define LIMIT_KNOWN_TOKENS_COUNT 1024u     /* that were found good, and are not checked again at once */
#define LIMIT_SUBJECT 512u                 /* who it was given to */
#define LIMIT_CLOSED_ROOTS_COUNT 60u       /* closed shadow roots that one question to the browser may bring */
#define LIMIT_EVENT_PATH_COUNT 101u        /* nodes whose event listeners are asked for, js/settle.js has one less */
