// All mutants: those of calendars, of news, and of what all lists have in common.
import type { Mutant } from "../broken-server.ts";
import { calendarMutants } from "./calendars.ts";
import { inEachRecord, inRecords, without } from "./changes.ts";

let lastToken = "";

const everyList: readonly Mutant[] = [
  {
    name: "responds to an unknown key with 403",
    list: "conference-calls",
    check: "access",
    response: (response) => {
      if (response.status === 401) response.status = 403;
    },
  },
  {
    name: "needs no key",
    list: "conference-calls",
    check: "access",
    request: ({ query }) => {
      if (!query.has("token")) query.set("token", lastToken);
      else if (!query.get("token")?.startsWith("bw_000")) lastToken = query.get("token") ?? "";
    },
  },
  {
    name: "repeats the key in an error",
    list: "conference-calls",
    check: "access",
    response: (response, { query }) => {
      if (response.status === 400)
        response.body = JSON.stringify({ ...JSON.parse(response.body), instance: `/?token=${query.get("token")}` });
    },
  },
  {
    name: "sends errors as HTML",
    list: "conference-calls",
    check: "access",
    response: (response) => {
      if (response.status >= 400)
        Object.assign(response, { headers: { "content-type": "text/html" }, body: "<h1>Error</h1>" });
    },
  },
  {
    name: "has a line break after an empty list",
    list: "news",
    check: "pages",
    response: (response) => {
      if (response.body === "[]") response.body = "[]\n";
    },
  },
  {
    name: "always has the same ETag",
    list: "conference-calls",
    check: "caching",
    request: ({ headers }) => {
      delete headers["if-none-match"];
    },
    response: (response, { headers }) => {
      if (response.headers.etag === undefined) return;
      response.headers.etag = 'W/"1"';
      if (headers["if-none-match"] === 'W/"1"') Object.assign(response, { status: 304, body: "" });
    },
  },
  {
    name: "never confirms an ETag",
    list: "conference-calls",
    check: "caching",
    request: ({ headers }) => {
      delete headers["if-none-match"];
    },
  },
  {
    name: "skips a record when a link is followed",
    list: "conference-calls",
    check: "pages",
    response: inRecords((records, { query }) => (query.has("cursor") ? records.slice(1) : records)),
  },
  {
    name: "links to pages that don't exist",
    list: "conference-calls",
    check: "pages",
    response: (response, { query }) => {
      if (query.has("cursor")) response.status = 404;
    },
  },
  {
    name: "links to pages without a list",
    list: "conference-calls",
    check: "pages",
    response: (response, { query }) => {
      if (query.has("cursor")) response.body = "{}";
    },
  },
];

const news: readonly Mutant[] = [
  {
    name: "doesn't escape XML",
    list: "news",
    check: "formats",
    response: (response) => {
      if (response.headers["content-type"]?.includes("xml")) response.body = response.body.replaceAll("&amp;", "&");
    },
  },
  {
    name: "has fewer records in XML",
    list: "news",
    check: "formats",
    response: (response) => {
      if (response.headers["content-type"]?.includes("xml"))
        response.body = response.body.replace(/<item><author>.*?<\/url><\/item>/, "");
    },
  },
  {
    name: "prints times in ISO format",
    list: "news",
    check: "records",
    response: inEachRecord((item) => ({ ...item, created: new Date(item.created).toISOString() })),
  },
  {
    name: "always returns the body",
    list: "news",
    check: "order",
    request: ({ query }) => query.set("displayOutput", "full"),
  },
  { name: "ignores sort", list: "news", check: "order", request: without("sort") },
  {
    name: "finds any topic although all are required",
    list: "news",
    check: "filters",
    request: without("topic_group_by"),
  },
  {
    name: "ignores a filter by an attribute that it never shows",
    list: "news",
    check: "filters",
    request: without("region"),
  },
  { name: "ignores importance of news", list: "news", check: "filters", request: without("importance") },
];

export const mutants: readonly Mutant[] = [...calendarMutants, ...everyList, ...news];
