// Requests that contain a key: where it belongs, and wherever clients put it by mistake.
import fc from "fast-check";

export type KeyedRequest = {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

const list = pick(
  ...["/api/v2/news", "/api/v2.1/calendar/ratings", "/api/v2.1/calendar/earnings", "/api/v2/news-removed"],
  ...["/changes", "/api/v2/nowhere", "/docs", "/"],
);
const tokenName = pick("token", "Token", "TOKEN", "%74oken", "tok%65n", "+token");
const otherName = pick(
  ...["apikey", "key", "parameters[token]", "tickers", "dateFrom", "pagesize", "page", "cursor", "topics", "fields"],
  ...["parameters[tickers]", "updatedSince", "a", "format", "sort"],
);
const header = pick(
  ...["authorization", "x-request-id", "origin", "accept", "accept-encoding", "accept-language", "if-none-match"],
  ...["referer", "user-agent", "x-forwarded-for", "x-api-key", "cookie", "x-bellwire-fault", "content-type", "range"],
  ...["content-encoding", "host", "forwarded", "access-control-request-headers", "traceparent"],
);
const before = pick("", "Bearer ", "token ", "Basic ", "bearer  ", "https://", 'W/"', "application/", "a b ");

const everyCharacter = (key: string): string =>
  [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");

/** A key as it may appear in a URL. */
const spelled = (key: string) =>
  pick(
    ...[key, key.replace("_", "%5F"), everyCharacter(key), `%ff${key}`, `%zz${key}`, key.slice(0, 30)],
    ...[`${key}${key}`, key.toLowerCase(), `F,${key}`, `https://${key}@example.com/`],
  );

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

/** Uses of a key, valid and invalid. */
const calls = (key: string): readonly KeyedRequest[] => [
  { url: "/api/v2/news?pagesize=2" },
  { url: "/api/v2.1/calendar/ratings" },
  { url: `/links/${key}/news.json` },
  { url: `/links/${key}/news.ics`, method: "POST" },
  {
    url: "/admin/v1/links",
    method: "POST",
    body: JSON.stringify({ url: `/links/${key}/x`, key, name: key, [key]: 1 }),
  },
  { url: `/admin/v1/links/${key}`, method: "DELETE" },
  { url: "/admin/v1/records/news", method: "POST", body: JSON.stringify([{ id: key, title: key, [key]: key }]) },
  { url: "/admin/v1/records/news", method: "POST", body: JSON.stringify([{ id: 7, title: "x", [key]: key }]) },
  { url: "/admin/v1/records/ratings", method: "POST", body: JSON.stringify([{ id: "r", date: key, importance: key }]) },
  { url: "/admin/v1/records/news", method: "POST", body: `[{"id": ${key}` },
  { url: `/admin/v1/records/news?atomic=${key}`, method: "POST", body: "[]" },
  { url: `/admin/v1/records/news/${key}`, method: "DELETE" },
  { url: `/admin/v1/records/ratings/${key}`, method: "DELETE" },
  { url: "/admin/v1/keys", method: "POST", body: JSON.stringify({ name: key, owner: key, [key]: key }) },
  { url: "/admin/v1/keys", method: "POST", body: JSON.stringify({ name: "x", owner: `it is ${key}`, history: key }) },
  { url: "/admin/v1/keys", method: "POST", body: JSON.stringify({ name: "x", origins: [`https://${key}`] }) },
  { url: "/admin/v1/keys", method: "POST", body: JSON.stringify({ name: "x", networks: [key], resources: [key] }) },
  { url: "/admin/v1/keys", method: "POST", body: key },
  { url: `/admin/v1/keys/${key}` },
  { url: `/admin/v1/keys/${key}`, method: "PATCH", body: JSON.stringify({ owner: key }) },
  { url: "/admin/v1/keys/reader", method: "PATCH", body: JSON.stringify({ owner: key, scopes: [key] }) },
  { url: `/admin/v1/keys/${key}/rotate`, method: "POST", body: JSON.stringify({ grace_hours: key }) },
  { url: "/admin/v1/keys/reader/rotate", method: "POST", body: JSON.stringify({ [key]: 1 }) },
  { url: `/admin/v1/keys/${key}`, method: "DELETE" },
  { url: `/admin/v1/usage?key=${key}` },
  { url: `/admin/v1/usage?from=${key}&to=${key}` },
  { url: `/admin/v1/status?${key}=${key}` },
  { url: `/admin/v1/streams?key=${key}&resource=${key}` },
  { url: `/changes?since=${key}` },
  { url: "/metrics" },
  { url: `/metrics?token=${key}` },
  { url: `/openapi.json?token=${key}` },
];

/** A request that contains a key, valid or not; it may be authenticated with another. */
export const requestWith = (key: string, good: string): fc.Arbitrary<KeyedRequest> => {
  const bearer = { authorization: `Bearer ${good}` };
  return fc.oneof(
    fc.tuple(list, tokenName).map(([url, name]) => ({ url: `${url}?${name}=${key}` })),
    fc.tuple(list, tokenName, pick(1, 2)).map(([url, name, size]) => ({
      url: `${url}?pagesize=${size}&${name}=${key}&${name}=${key}`,
    })),
    fc.tuple(list, otherName, spelled(key)).map(([url, name, value]) => ({
      url: `${url}?pagesize=2&${name}=${value}&token=${good}`,
    })),
    fc.tuple(list, otherName, spelled(key)).map(([url, name, value]) => ({ url: `${url}?${name}=${value}` })),
    fc.tuple(list, spelled(key)).map(([url, name]) => ({ url: `${url}?${name}=1`, headers: bearer })),
    fc.tuple(list, spelled(key)).map(([url, value]) => ({ url: `${url}/${value}`, headers: bearer })),
    fc.tuple(list, header, before).map(([url, name, start]) => ({
      url: `${url}?token=${good}`,
      headers: { [name]: `${start}${key}` },
    })),
    fc.tuple(header, before).map(([name, start]) => ({
      url: "/admin/v1/records/news",
      method: "POST",
      headers: { "content-type": "application/json", ...bearer, [name]: `${start}${key}` },
      body: "[]",
    })),
    fc.tuple(list, pick(key, `${key}:`, `user:${key}`, `:${key}`)).map(([url, text]) => ({
      url,
      headers: { authorization: basic(text) },
    })),
    pick(...calls(key)).map((call) => ({
      ...call,
      headers: { authorization: `Bearer ${good}`, "content-type": "application/json" },
    })),
  );
};

/** Requests that are not HTTP, or too long for it. Each ends its connection. */
export const brokenRequests = (key: string): readonly string[] => [
  `GET /api/v2/news?token=${key} HTTP/1.1\r\nconnection: close\r\n\r\n`,
  `GET /api/v2/news?token=${key} HTTP/9.9\r\nhost: a\r\n\r\n`,
  `GET /api/v2/news HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\nno colon ${key}\r\n\r\n`,
  `${key} / HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET ${key} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  `GET /%${key} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  `CONNECT ${key}:80 HTTP/1.1\r\nhost: a\r\n\r\n`,
  `GET /?${key.repeat(500)} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: a\r\nx: ${key.repeat(2000)}\r\n\r\n`,
  `GET /api/v2/news?token=${key} HTTP/1.1\r\nhost: ${key}\r\nhost: b\r\nconnection: close\r\n\r\n`,
  `GET /api/v2/news?token=${key} HTTP/1.1\r\nhost: a\r\nexpect: ${key}\r\nconnection: close\r\n\r\n`,
  `POST /admin/v1/keys HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-length: 90\r\nconnection: close\r\n\r\n{"name":"${key}","owner":"${key}"}`,
  `POST /admin/v1/keys HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n${key}\r\n`,
];
