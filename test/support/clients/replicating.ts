// A client with the replicate scope.
import assert from "node:assert/strict";
import type { Api, ApiResponse, Body } from "./api.ts";

export async function replicating(
  api: Api,
): Promise<(url: string, headers?: Record<string, string>) => Promise<ApiResponse>> {
  const key = await api.key({ scopes: ["replicate"] });
  return (url, headers = {}) => api.request(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
}

export async function follower(api: Api): Promise<(url: string) => Promise<Body>> {
  const request = await replicating(api);
  return async (url) => {
    const { status, text, json } = await request(url);
    assert.equal(status, 200, `${url}: ${text}`);
    return json;
  };
}
