// The catalogue of errors: every code with its status and words. A code is never used again for something else.

import type { Scope } from "./access/scope.ts";
import { longestUrl } from "./query/query-string.ts";

export type Mistake = { readonly parameter: string; readonly given: string; readonly expected: string };

type Entry = {
  readonly status: number;
  readonly title: string;
  readonly doc: string;
  /** Met by requests that need this scope, and by no other. */
  readonly only?: Scope;
};

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
  "request.body": {
    status: 400,
    title: "Body not readable",
    doc: "The body broke off before its first record, or is not the gzip data that its header says. Nothing was kept.",
    only: "write",
  },
  "request.members": {
    status: 400,
    title: "Bad body",
    doc: "The body is no JSON object, or members of it were not understood. `errors` lists every one of them with what was given and what was expected. Nothing was changed.",
    only: "admin",
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
  "key.header": {
    status: 401,
    title: "Token in the query",
    doc: "This endpoint takes the key in the `Authorization` header only: a query ends in logs and histories. Send `Authorization: Bearer KEY` and no `token`.",
  },
  "key.unknown": {
    status: 401,
    title: "Token not accepted",
    doc: "The token is unknown, expired or revoked.",
  },
  "key.scope": {
    status: 403,
    title: "Scope missing",
    doc: "The key is good, but may not do this; `detail` names the scope that is needed.",
  },
  "key.license": {
    status: 403,
    title: "License missing",
    doc: "A parameter needs a license that the key does not hold; `detail` names both.",
  },
  "key.resource": {
    status: 403,
    title: "Resource not sold",
    doc: "The key is good, but not for this resource; `detail` names the resources that it is for.",
  },
  "key.network": {
    status: 403,
    title: "Network not allowed",
    doc: "The key is good, but may not be used from the address that the request came from.",
  },
  "key.origin": {
    status: 403,
    title: "Origin not allowed",
    doc: "The key is good, but only for pages of certain origins, and the `Origin` header names none of them.",
  },
  "request.path": {
    status: 404,
    title: "No such path",
    doc: "Nothing is served at this path. Where only the version is wrong, `detail` names the right path.",
  },
  "key.absent": {
    status: 404,
    title: "No such key",
    doc: "No key has this name, or the one that has it is revoked.",
    only: "admin",
  },
  "request.method": {
    status: 405,
    title: "Method not allowed",
    doc: "The method is not served at this path; the `Allow` header names those that are.",
  },
  "format.unacceptable": {
    status: 406,
    title: "No acceptable format",
    doc: "The `Accept` header excludes every format of this endpoint; `detail` names them.",
  },
  "key.conflict": {
    status: 409,
    title: "Key in the way",
    doc: "A key of this name exists already, or has expired and can't be replaced; `detail` says which.",
    only: "admin",
  },
  "request.timeout": {
    status: 408,
    title: "Request took too long",
    doc: "The request did not arrive in time.",
  },
  "changes.gone": {
    status: 410,
    title: "Position no longer kept",
    doc: "The change log has forgotten lines after this position; `detail` names the oldest one that can be followed from, and how to start again.",
    only: "replicate",
  },
  "request.size": {
    status: 413,
    title: "Body too large",
    doc: "The body has more bytes, unpacked, than this server takes at once; `detail` names the limit. Where `report` says that records were kept, they stay kept: send the rest in parts.",
    only: "write",
  },
  "request.url": {
    status: 414,
    title: "Address too long",
    doc: `Path and query together may have at most ${longestUrl.toLocaleString("en")} bytes.`,
  },
  "request.type": {
    status: 415,
    title: "Body of another type",
    doc: "Records are sent as `application/json` (an array) or `application/x-ndjson` (one object on each line; also `application/jsonl`), plain or with `Content-Encoding: gzip`.",
    only: "write",
  },
  "records.refused": {
    status: 422,
    title: "Records refused",
    doc: "No record was kept: all were refused, or one was and the request is atomic. `report` lists them with every reason, and so does `errors`.",
    only: "write",
  },
  "limit.rate": {
    status: 429,
    title: "Too many requests",
    doc: "The key has sent requests faster than it may; `Retry-After` says when to send the next. Nothing is wrong with the request.",
  },
  "limit.quota": {
    status: 429,
    title: "Quota used up",
    doc: "The key has used up its requests of this day or month; `Retry-After` says when the next begins.",
  },
  "limit.tokens": {
    status: 429,
    title: "Too many wrong tokens",
    doc: "The token is unknown, expired or revoked, and too many such tokens came from this address. A good one is answered all the same.",
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
  "server.busy": {
    status: 503,
    title: "Too much to do",
    doc: "The server is asked for more than it can do at once, or for many large pages; `Retry-After` says when to try again. Nothing is wrong with the request.",
  },
  "server.expensive": {
    status: 503,
    title: "Request too expensive",
    doc: "Finding the records took longer than this server allows for one request, and the same request would fare no better. Narrow it: a range of days, fewer or rarer values and topics, a smaller page, `Link` instead of deep pages, or no `sort`.",
  },
  "server.unavailable": {
    status: 503,
    title: "Not available",
    doc: "The server is starting, stopping or without its database; `Retry-After` says when to try again.",
  },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof problems;

/** The codes that a request which needs a scope can meet. */
export const codesOf = (scope: Scope): Code[] =>
  (Object.entries(problems) as [Code, Entry][]).flatMap(([code, { only }]) =>
    only === undefined || only === scope ? [code] : [],
  );

/** An expected failure on its way to the one place that answers it. */
export type Problem = {
  readonly code: Code;
  readonly detail: string;
  readonly errors?: readonly Mistake[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What became of the records, where some had been read already. */
  readonly report?: object;
};

export function problem(
  code: Code,
  detail?: string,
  rest: Pick<Problem, "errors" | "headers" | "report"> = {},
): Problem {
  return { code, detail: detail ?? problems[code].doc, ...rest };
}

const counted = {
  "request.parameters": ["1 parameter was", "parameters were"],
  "request.members": ["1 member was", "members were"],
} as const;

/** What is said of parameters, or of members of a body, that were not understood: all of them at once. */
export function notUnderstood(code: keyof typeof counted, errors: readonly Mistake[]): Problem {
  const [one, many] = counted[code];
  return problem(code, `${errors.length === 1 ? one : `${errors.length} ${many}`} not understood.`, { errors });
}
