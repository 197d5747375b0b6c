// Settings of a mirror.
import { isDay } from "../core/value/time-zone.ts";
import { parseProbes } from "../mirror/lists/discover.ts";
import { parseRate } from "../mirror/upstream/request-budget.ts";
import { catalog } from "../resources/catalog.ts";
import { integer, oneOf, parseList, type Setting } from "./setting.ts";

/** Filters that reveal hidden attributes; those without a fixed set of values need the values listed. */
const learnable = catalog.flatMap(({ intake }) =>
  Object.entries(intake.discoverable).map(([name, { values }]) => (values === undefined ? `${name}=A|B` : name)),
);

export const mirrorSettings = {
  mirror: {
    value: "URL",
    help: "base URL of an upstream with the same API to mirror into the database; disables the demo",
    fallback: "",
    check: (text: string) => text === "" || isBaseUrl(text),
    expected: "a URL such as https://example.com, without credentials, query, or fragment",
    secret: true,
  },
  "mirror-token": {
    value: "TOKEN",
    help: "mirror: API key for the upstream",
    fallback: "",
    check: (text: string) => /^[!-~]*$/.test(text),
    expected: "a key without spaces",
    secret: true,
  },
  "mirror-token-in": {
    value: "auto|header|query",
    help: "mirror: where the key is sent; auto tries the header, which stays out of logs, then the query",
    fallback: "auto",
    ...oneOf("auto", "header", "query"),
  },
  "mirror-resources": {
    value: "LIST",
    help: "mirror: resources to mirror, comma-separated; empty for all",
    fallback: "",
    check: (text: string) => parseList(text).every((name) => catalog.some((resource) => resource.name === name)),
    expected: `some of ${catalog.map(({ name }) => name).join(", ")}, separated by commas`,
  },
  "mirror-from": {
    value: "DAY",
    help: "mirror: first day to mirror, YYYY-MM-DD; empty for no limit",
    fallback: "",
    check: (text: string) => text === "" || isDay(text),
    expected: "a day as YYYY-MM-DD",
  },
  "mirror-budget": {
    value: "RATE",
    help: "mirror: limit on requests to the upstream, such as 5/s, 100/m, or 1000/h",
    fallback: "5/s",
    check: (text: string) => parseRate(text) !== undefined,
    expected: "a rate such as 5/s, 100/m, or 1000/h",
  },
  "mirror-every": {
    value: "TIME",
    help: "mirror: how often to poll the upstream for changes, such as 30s or 5m",
    fallback: "30s",
    check: (text: string) => /^[1-9]\d{0,4}[smhd]?$/.test(text),
    expected: "a time such as 30s or 5m",
  },
  "mirror-via": {
    value: "auto|changes|lists",
    help: "mirror: what to read from the upstream; auto uses the change feed if the key may read it, otherwise the lists",
    fallback: "auto",
    ...oneOf("auto", "changes", "lists"),
  },
  "mirror-recheck-days": {
    value: "DAYS",
    help: "mirror: how many recent days to reconcile periodically when reading lists; 0 for none",
    fallback: "7",
    ...integer(0, 36_500),
  },
  "mirror-learn": {
    value: "LIST",
    help: `mirror: filters used to discover attributes that lists don't show, at the cost of extra requests; comma-separated, any of ${learnable.join(", ")}`,
    fallback: "",
    check: (text: string) => parseProbes(text, catalog) !== undefined,
    expected: "comma-separated filters such as importance or content_types=story|report",
  },
} as const satisfies Record<string, Setting>;

function isBaseUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === ""
  );
}
