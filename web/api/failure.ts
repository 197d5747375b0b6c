// Failures of API requests, from problem documents where available.

export type FieldError = { readonly parameter: string; readonly given: string; readonly expected: string };

export type Failure = {
  /**
   * key: missing or rejected; forbidden: the key lacks permission; limited: rate limit or quota; unavailable: the server
   * or its database can't be reached; invalid: the request is invalid; internal: server error.
   */
  readonly kind: "key" | "forbidden" | "limited" | "unavailable" | "invalid" | "internal";
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Seconds, from the response header. */
  readonly retryAfter?: number;
  readonly requestId?: string;
};

const kinds: Readonly<Record<number, Failure["kind"]>> = {
  401: "key",
  403: "forbidden",
  429: "limited",
  503: "unavailable",
};

export const unreachable: Failure = {
  kind: "unavailable",
  status: 0,
  title: "Server unreachable",
  detail: "The request received no response.",
  errors: [],
};

export const missingKey: Failure = {
  kind: "key",
  status: 0,
  title: "API key required",
  detail: "Enter an API key for this server to see its data.",
  errors: [],
};

export const rejectedKey: Failure = {
  kind: "key",
  status: 401,
  title: "API key rejected",
  detail: "The server rejected the API key: it is unknown, expired, or revoked.",
  errors: [],
};

const statusKind = (status: number): Failure["kind"] =>
  status >= 502 ? "unavailable" : status >= 500 ? "internal" : "invalid";

/** Returned instead of 401 to an address that has sent many invalid keys. */
const tooManyInvalidKeys = "limit.tokens";

/** Proxies may respond with something other than a problem document. */
export async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  const problem = await response
    .json()
    .then((body: unknown) => (typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {}))
    .catch(() => ({}) as Record<string, unknown>);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const requestId = response.headers.get("x-request-id");
  return {
    kind: problem.code === tooManyInvalidKeys ? "key" : (kinds[status] ?? statusKind(status)),
    status,
    title: typeof problem.title === "string" ? problem.title : `The server responded with status ${status}`,
    detail: typeof problem.detail === "string" ? problem.detail : response.statusText,
    errors: Array.isArray(problem.errors) ? (problem.errors as FieldError[]) : [],
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(requestId === null ? {} : { requestId }),
  };
}
