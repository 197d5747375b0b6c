// Problem catalog: every code with its status, title, and description. Codes are never reused.

import type { Scope } from "./access/scope.ts";
import { maxUrlLength } from "./query/query-string.ts";

export type ParameterError = { readonly parameter: string; readonly given: string; readonly expected: string };

type Entry = {
  readonly status: number;
  readonly title: string;
  readonly doc: string;
  /** Only for requests that require this scope, or for streams. */
  readonly scope?: Scope | "stream";
};

export const problems = {
  "request.parameters": {
    status: 400,
    title: "Invalid parameters",
    doc: "One or more query parameters are invalid. `errors` lists each of them with the value received and the value expected.",
  },
  "request.tokens": {
    status: 400,
    title: "Conflicting tokens",
    doc: "The query and the `Authorization` header contain different tokens; send one.",
  },
  "request.body": {
    status: 400,
    title: "Unreadable body",
    doc: "The body ended before its first record, or is not valid gzip data. Nothing was stored.",
    scope: "write",
  },
  "request.members": {
    status: 400,
    title: "Invalid body",
    doc: "The body is not a JSON object, or has invalid members. `errors` lists each of them with the value received and the value expected. Nothing was changed.",
    scope: "admin",
  },
  "request.malformed": {
    status: 400,
    title: "Malformed request",
    doc: "The request is not valid HTTP, or its path is not valid percent-encoding.",
  },
  "key.missing": {
    status: 401,
    title: "Missing token",
    doc: "This endpoint requires an API key: `?token=KEY`, or the header `Authorization: Bearer KEY` or `Authorization: token KEY`.",
  },
  "key.header": {
    status: 401,
    title: "Token in the query",
    doc: "This endpoint accepts the key in the `Authorization` header only, since queries end up in logs and histories. Send `Authorization: Bearer KEY` and no `token`.",
  },
  "key.unknown": {
    status: 401,
    title: "Invalid token",
    doc: "The token is unknown, expired, or revoked.",
  },
  "key.scope": {
    status: 403,
    title: "Missing scope",
    doc: "The key is valid, but lacks the required scope, which `detail` names.",
  },
  "key.license": {
    status: 403,
    title: "Missing license",
    doc: "A parameter requires a license that the key doesn't have; `detail` names both.",
  },
  "key.resource": {
    status: 403,
    title: "Resource not licensed",
    doc: "The key is valid, but not for this resource; `detail` names its resources.",
  },
  "key.network": {
    status: 403,
    title: "Network not allowed",
    doc: "The key is valid, but may not be used from the client's IP address.",
  },
  "key.origin": {
    status: 403,
    title: "Origin not allowed",
    doc: "The key is valid, but only for pages of certain origins, and the `Origin` header is not one of them.",
  },
  "request.origin": {
    status: 403,
    title: "Origin not allowed",
    doc: "A page may open a WebSocket, or call tools for assistants, only from the origins that the server allows, whatever the key.",
    scope: "stream",
  },
  "request.path": {
    status: 404,
    title: "Path not found",
    doc: "There is nothing at this path. If only the version is wrong, `detail` names the correct path.",
  },
  "key.absent": {
    status: 404,
    title: "Key not found",
    doc: "No key has this name, or it is revoked.",
    scope: "admin",
  },
  "webhook.absent": {
    status: 404,
    title: "Webhook not found",
    doc: "No webhook has this ID, or it has been removed.",
    scope: "admin",
  },
  "link.absent": {
    status: 404,
    title: "Link not found",
    doc: "No link of this key has this ID, or it is revoked.",
    scope: "links",
  },
  "link.unknown": {
    status: 404,
    title: "Unknown link",
    doc: "The link is unknown or revoked, or its key is revoked or expired.",
    scope: "links",
  },
  "request.method": {
    status: 405,
    title: "Method not allowed",
    doc: "The path doesn't support this method; the `Allow` header lists those it supports.",
  },
  "format.unacceptable": {
    status: 406,
    title: "No acceptable format",
    doc: "The `Accept` header excludes every format of this endpoint; `detail` lists them.",
  },
  "key.conflict": {
    status: 409,
    title: "Key already exists",
    doc: "A key with this name already exists, or has expired and can't be rotated; see `detail`.",
    scope: "admin",
  },
  "webhook.limit": {
    status: 409,
    title: "Too many webhooks",
    doc: "The key has as many webhooks as it may have; remove one, or follow several tickers, channels, or countries with one webhook.",
    scope: "admin",
  },
  "link.limit": {
    status: 409,
    title: "Too many links",
    doc: "The key has as many links as it may have; revoke one first.",
    scope: "links",
  },
  "request.timeout": {
    status: 408,
    title: "Request timeout",
    doc: "The request did not arrive in time.",
  },
  "changes.gone": {
    status: 410,
    title: "Position no longer available",
    doc: "Entries after this position have expired from the change log; `detail` names the oldest available position, and how to start over.",
    scope: "replicate",
  },
  "stream.gone": {
    status: 410,
    title: "Position no longer available",
    doc: "Changes after this position have expired from the change log, or belong to another database. To start over without a gap, read the list, then open the stream with `since` set to the `X-Stream-Position` of its first page.",
    scope: "stream",
  },
  "request.size": {
    status: 413,
    title: "Body too large",
    doc: "The decompressed body exceeds the limit that `detail` names. Records that `report` counts as stored remain stored: send the rest in parts.",
    scope: "write",
  },
  "request.url": {
    status: 414,
    title: "URL too long",
    doc: `Path and query together can have at most ${maxUrlLength.toLocaleString("en")} bytes.`,
  },
  "request.type": {
    status: 415,
    title: "Unsupported media type",
    doc: "Send records as `application/json` (an array) or `application/x-ndjson` (one object per line; also `application/jsonl`), optionally with `Content-Encoding: gzip`.",
    scope: "write",
  },
  "records.refused": {
    status: 422,
    title: "Records rejected",
    doc: "No record was stored: all were invalid, or one was and the request is atomic. `report` and `errors` list them with every reason.",
    scope: "write",
  },
  "request.upgrade": {
    status: 426,
    title: "Upgrade required",
    doc: "This path serves WebSocket connections only; the path of the list with `/stream` appended serves server-sent events, too.",
    scope: "stream",
  },
  "limit.rate": {
    status: 429,
    title: "Too many requests",
    doc: "The key has exceeded its rate limit; `Retry-After` says when to send the next request.",
  },
  "limit.quota": {
    status: 429,
    title: "Quota exceeded",
    doc: "The key has used up its quota for this day or month; `Retry-After` says when the next one starts.",
  },
  "limit.streams": {
    status: 429,
    title: "Too many streams",
    doc: "The key has as many open streams as it may have; close one, or follow several tickers, channels, or countries with one stream.",
    scope: "stream",
  },
  "limit.tokens": {
    status: 429,
    title: "Too many invalid tokens",
    doc: "The token is unknown, expired, or revoked, and this client has sent too many such tokens. Requests with a valid one still succeed.",
  },
  "request.range": {
    status: 416,
    title: "Range not satisfiable",
    doc: "The file has no byte in the requested range; `Content-Range` has its size.",
    scope: "bulk",
  },
  "request.headers": {
    status: 431,
    title: "Headers too large",
    doc: "The request line and headers together exceed the server's limit.",
  },
  "server.fault": {
    status: 500,
    title: "Internal server error",
    doc: "An unexpected error occurred. The server's log has the cause under the `request_id`.",
  },
  "server.busy": {
    status: 503,
    title: "Server overloaded",
    doc: "The server has more requests, or more requests for large pages, than it can handle at once; `Retry-After` says when to retry.",
  },
  "server.expensive": {
    status: 503,
    title: "Request too expensive",
    doc: "The query exceeded the server's time limit, and would again. Narrow it: a range of days, fewer or rarer values and topics, a smaller page, `Link` instead of deep pages, or no `sort`.",
  },
  "server.unavailable": {
    status: 503,
    title: "Service unavailable",
    doc: "The server is starting or stopping, or its database is unavailable; `Retry-After` says when to retry.",
  },
} as const satisfies Record<string, Entry>;

export type Code = keyof typeof problems;

/** The codes that requests with a scope, or for streams, can get. */
export const codesFor = (scope: Scope | "stream"): Code[] =>
  (Object.entries(problems) as [Code, Entry][]).flatMap(([code, entry]) =>
    entry.scope === undefined || entry.scope === scope ? [code] : [],
  );

export type Problem = {
  readonly code: Code;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The outcome for the records of a body, if some were read. */
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
  "request.parameters": ["1 invalid parameter", "invalid parameters"],
  "request.members": ["1 invalid member", "invalid members"],
} as const;

/** All invalid parameters, or members of a body. */
export function invalidParameters(code: keyof typeof counted, errors: readonly ParameterError[]): Problem {
  const [one, many] = counted[code];
  const [{ parameter, given, expected } = { parameter: "?", given: "", expected: "" }] = errors;
  // About the query as a whole, of which the count says nothing.
  if (errors.length === 1 && parameter === "")
    return problem(code, `Received ${given}, expected ${expected}.`, { errors });
  return problem(code, `${errors.length === 1 ? one : `${errors.length} ${many}`}.`, { errors });
}
