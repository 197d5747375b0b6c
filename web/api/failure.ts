// What went wrong with a request, in the words of the API where it said any.

export type Mistake = { readonly parameter: string; readonly given: string; readonly expected: string };

export type Failure = {
  /**
   * key: none, or not accepted; forbidden: not by this key; limited: too often; away: the server or its database
   * can't be reached now; refused: the request is wrong; fault: the server's own.
   */
  readonly kind: "key" | "forbidden" | "limited" | "away" | "refused" | "fault";
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly Mistake[];
  /** Seconds after which another attempt makes sense, where the server said so. */
  readonly retryAfter?: number;
  readonly requestId?: string;
};

const kinds: Readonly<Record<number, Failure["kind"]>> = { 401: "key", 403: "forbidden", 429: "limited", 503: "away" };

export const unreachable: Failure = {
  kind: "away",
  status: 0,
  title: "The server can’t be reached",
  detail: "The request got no answer. It is sent again as soon as the server answers.",
  errors: [],
};

export const keyless: Failure = {
  kind: "key",
  status: 0,
  title: "A key is needed",
  detail: "Paste an API key of this server to see its records.",
  errors: [],
};

/** A refusal as it came over the wire; proxies in between may answer with something that is no problem document. */
export async function failureOf(response: Response): Promise<Failure> {
  const { status } = response;
  const said = await response
    .json()
    .then((body: unknown) => (typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {}))
    .catch(() => ({}) as Record<string, unknown>);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  const requestId = response.headers.get("x-request-id");
  return {
    kind: kinds[status] ?? (status >= 502 ? "away" : status >= 500 ? "fault" : "refused"),
    status,
    title: typeof said.title === "string" ? said.title : `The server answered ${status}`,
    detail: typeof said.detail === "string" ? said.detail : response.statusText,
    errors: Array.isArray(said.errors) ? (said.errors as Mistake[]) : [],
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
    ...(requestId === null ? {} : { requestId }),
  };
}
