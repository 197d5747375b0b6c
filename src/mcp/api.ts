// The API as tools use it: one request, and what they need of its response.
import type { WireRecord } from "../core/record/row.ts";
import { argumentOf } from "./arguments.ts";

export type ApiResponse = {
  readonly status: number;
  readonly body: string;
  /** The `Link` header. */
  readonly link?: string | undefined;
};

/** Sends a GET request with the key of the caller; `url` has no host. */
export type CallApi = (url: string) => Promise<ApiResponse>;

/** The API rejected the request; the message says why. */
export class ApiError extends Error {}

export type ListPage = { readonly records: readonly WireRecord[]; readonly next: string | undefined };

export async function listPage(call: CallApi, url: string): Promise<ListPage> {
  const { status, body, link } = await call(url);
  if (status !== 200) throw new ApiError(problemText(status, body));
  const json = JSON.parse(body) as readonly WireRecord[] | Readonly<Record<string, readonly WireRecord[]>>;
  const records = Array.isArray(json) ? json : Object.values(json).find(Array.isArray);
  return { records: records ?? [], next: /^<([^>]+)>; rel="next"/.exec(link ?? "")?.[1] };
}

function problemText(status: number, body: string): string {
  try {
    const { title, detail, code, errors } = JSON.parse(body) as Record<string, unknown>;
    const named = (errors as readonly { parameter: string }[] | undefined)?.map((error) => ({
      ...error,
      parameter: argumentOf(error.parameter),
    }));
    return JSON.stringify({ status, code, title, detail, errors: named });
  } catch {
    return `status ${status}`;
  }
}
