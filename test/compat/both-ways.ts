// The same request with and without the compatibility term: one service, two keys.
import type { Answer, Api } from "../support/clients/api.ts";

export type BothWays = {
  /** A GET with a key that has the term. */
  lenient(url: string, headers?: Record<string, string>): Promise<Answer>;
  /** A GET with a key that doesn't. */
  strict(url: string, headers?: Record<string, string>): Promise<Answer>;
};

const keys = new WeakMap<Api, Promise<string>>();

export async function bothWays(api: Api): Promise<BothWays> {
  const made = keys.get(api) ?? api.key({ compat: true, licenses: ["cusip"] });
  keys.set(api, made);
  const key = await made;
  return {
    lenient: (url, headers = {}) => api.ask(url, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    strict: (url, headers = {}) => api.answer(url, headers),
  };
}

export const idsOf = (answer: Answer): (string | number)[] => {
  const list = Object.values(answer.json).find(Array.isArray) ?? answer.json;
  return (list as { id: string | number }[]).map(({ id }) => id);
};
