// An HTTP client with a write key, and assertions on its responses.
import assert from "node:assert/strict";
import type { Code } from "../../../src/core/problem.ts";
import type { Api, ApiResponse } from "./api.ts";

export type Sent = { readonly type?: string; readonly headers?: Record<string, string>; readonly key?: string };

export async function writer(api: Api) {
  const key = await api.key({ scopes: ["write"] });
  const headers = (options: Sent) => ({ authorization: `Bearer ${options.key ?? key}`, ...options.headers });
  return {
    key,
    post: (url: string, body: string | Buffer, options: Sent = {}): Promise<ApiResponse> =>
      api.request(url, {
        method: "POST",
        body,
        headers: { "content-type": options.type ?? "application/json", ...headers(options) },
      }),
    remove: (url: string, options: Sent = {}) => api.request(url, { method: "DELETE", headers: headers(options) }),
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

export function isProblem({ status, json }: ApiResponse, code: Code, expected: number, detail: RegExp): void {
  assert.deepEqual([status, json.code], [expected, code], JSON.stringify(json));
  assert.match(json.detail, detail);
}
