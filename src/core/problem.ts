// The catalogue of errors: every code with its status and words. A code is never used again for something else.

export type Mistake = { readonly parameter: string; readonly given: string; readonly expected: string };

type Entry = { readonly status: number; readonly title: string; readonly doc: string };

export const problems = {
  "request.parameters": {
    status: 400,
    title: "Bad parameters",
    doc: "One or more query parameters were not understood. `errors` lists every one of them with what was given and what was expected.",
  },
  "request.tokens": {
    status: 400,
    title: "Two tokens",
    doc: "The query and the `Authorization` header carry different tokens; send one.",
  },
  "request.malformed": {
    status: 400,
    title: "Malformed request",
    doc: "The request is not valid HTTP, or its path is not valid percent-encoding.",
  },
  "key.missing": {
    status: 401,
    title: "Token missing",
    doc: "Every endpoint needs an API key: `?token=KEY`, or the header `Authorization: Bearer KEY` or `Authorization: token KEY`.",
  },
  "key.unknown": {
    status: 401,
    title: "Token not accepted",
    doc: "The token is unknown, expired or revoked.",
  },
  "key.license": {
    status: 403,
    title: "License missing",
    doc: "A parameter needs a license that the key does not hold; `detail` names both.",
  },
  "request.path": {
    status: 404,
    title: "No such path",
    doc: "Nothing is served at this path. Where only the version is wrong, `detail` names the right path.",
  },
  "request.method": {
    status: 405,
    title: "Method not allowed",
    doc: "Only GET and HEAD are served here; the `Allow` header says so too.",
  },
  "format.unacceptable": {
    status: 406,
    title: "No acceptable format",
    doc: "The `Accept` header excludes every format of this endpoint; `detail` names them.",
  },
  "request.timeout": {
    status: 408,
    title: "Request took too long",
    doc: "The request did not arrive in time.",
  },
  "request.url": {
    status: 414,
    title: "Address too long",
    doc: "Path and query together may have at most 16,384 bytes.",
  },
  "request.headers": {
    status: 431,
    title: "Headers too large",
    doc: "The headers and the request line together are larger than this server takes.",
  },
  "server.fault": {
    status: 500,
    title: "Fault of the server",
    doc: "Something went wrong here. The log holds the reason under the `request_id`.",
  },
  "server.unavailable": {
    status: 503,
    title: "Not available",
    doc: "The server is starting, stopping or without its database; `Retry-After` says when to try again.",
  },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof problems;

/** An expected failure on its way to the one place that answers it. */
export type Problem = {
  readonly code: Code;
  readonly detail: string;
  readonly errors?: readonly Mistake[];
  readonly headers?: Readonly<Record<string, string>>;
};

export function problem(code: Code, detail?: string, rest: Pick<Problem, "errors" | "headers"> = {}): Problem {
  return { code, detail: detail ?? problems[code].doc, ...rest };
}
