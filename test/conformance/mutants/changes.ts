// Changes of requests and responses that mutants are made of.
import type { ProxiedRequest, ProxiedResponse } from "../broken-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: a mutant may change anything.
type Body = any;

export const size = (request: ProxiedRequest): string =>
  request.query.get("pagesize") ?? request.query.get("pageSize") ?? "50";

/** Changes the parsed body of successful JSON responses. */
export const inJson =
  (change: (body: Body, request: ProxiedRequest) => Body) => (response: ProxiedResponse, request: ProxiedRequest) => {
    if (response.status === 200 && response.headers["content-type"]?.includes("json"))
      response.body = JSON.stringify(change(JSON.parse(response.body), request));
  };

/** Changes the list of records, whatever encloses it. */
export const inRecords = (change: (records: Body[], request: ProxiedRequest) => Body[]) =>
  inJson((body, request) =>
    Array.isArray(body)
      ? change(body, request)
      : Object.fromEntries(Object.entries(body).map(([key, list]) => [key, change(list as Body[], request)])),
  );

export const inEachRecord = (change: (record: Body, request: ProxiedRequest) => Body) =>
  inRecords((records, request) => records.map((record) => change(record, request)));

/** Parameters that have no effect. */
export const without =
  (...names: string[]) =>
  ({ query }: ProxiedRequest) => {
    for (const name of names) query.delete(name);
  };

/** Changes the value of a parameter. */
export const mapped =
  (name: string, change: (value: string) => string) =>
  ({ query }: ProxiedRequest) => {
    const value = query.get(name);
    if (value !== null && value !== "") query.set(name, change(value));
  };

export const shiftDay = (day: string, days: number): string =>
  /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day))
    ? new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
    : day;
