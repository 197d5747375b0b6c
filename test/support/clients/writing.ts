// A client that writes over HTTP, for tests: a key of its own, bodies of any kind, and what an answer must be.
import assert from "node:assert/strict";
import type { Code } from "../../../src/core/problem.ts";
import type { Answer, Api } from "./api.ts";

export type Sent = { readonly type?: string; readonly headers?: Record<string, string>; readonly key?: string };

/** A client that writes, with a key of its own. */
export async function writer(api: Api) {
  const key = await api.key({ scopes: ["write"] });
  const headers = (given: Sent) => ({ authorization: `Bearer ${given.key ?? key}`, ...given.headers });
  return {
    key,
    post: (url: string, body: string | Buffer, given: Sent = {}): Promise<Answer> =>
      api.ask(url, {
        method: "POST",
        body,
        headers: { "content-type": given.type ?? "application/json", ...headers(given) },
      }),
    remove: (url: string, given: Sent = {}) => api.ask(url, { method: "DELETE", headers: headers(given) }),
  };
}

export const lines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

export const day = { date: "2024-11-05" };
export const counts = (created: number, updated = 0, unchanged = 0) => ({
  read: created + updated + unchanged,
  created,
  updated,
  unchanged,
  refused: 0,
  refusals: [],
});

export function isProblem({ status, json }: Answer, code: Code, expected: number, detail: RegExp): void {
  assert.deepEqual([status, json.code], [expected, code], JSON.stringify(json));
  assert.match(json.detail, detail);
}
