// The same request with and without the compatibility term: one service, two keys.
import type { Api, ApiResponse } from "../support/clients/api.ts";

export type BothWays = {
  /** A GET with a key that has the term. */
  lenient(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** A GET with a key that doesn't. */
  strict(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
};

const keys = new WeakMap<Api, Promise<string>>();

export async function bothWays(api: Api): Promise<BothWays> {
  const made = keys.get(api) ?? api.key({ compat: true, licenses: ["cusip"] });
  keys.set(api, made);
  const key = await made;
  return {
    lenient: (url, headers = {}) => api.request(url, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    strict: (url, headers = {}) => api.fetch(url, headers),
  };
}

export const idsOf = (response: ApiResponse): (string | number)[] => {
  const list = Object.values(response.json).find(Array.isArray) ?? response.json;
  return (list as { id: string | number }[]).map(({ id }) => id);
};
