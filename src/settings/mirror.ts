// Settings of a mirror.
import { isDay } from "../core/value/time-zone.ts";
import { parseProbes } from "../mirror/lists/discover.ts";
import { parseRate } from "../mirror/upstream/request-budget.ts";
import { catalog } from "../resources/catalog.ts";
import { listOf, number, type Setting, words } from "./setting.ts";

/** Filters by which a mirror can learn what is never shown; those without a closed set of values need them named. */
const learnable = catalog.flatMap(({ intake }) =>
  Object.entries(intake.learnable).map(([name, { values }]) => (values === undefined ? `${name}=A|B` : name)),
);

export const mirrorSettings = {
  mirror: {
    value: "URL",
    help: "base address of an upstream of this interface that the database is filled from; no demo is loaded then",
    fallback: "",
    check: (text: string) => text === "" || isBaseUrl(text),
    expected: "an address such as https://example.com, without a user, query or fragment",
    secret: true,
  },
  "mirror-token": {
    value: "TOKEN",
    help: "mirror: key of the upstream",
    fallback: "",
    check: (text: string) => /^[!-~]*$/.test(text),
    expected: "a key without blanks",
    secret: true,
  },
  "mirror-token-in": {
    value: "auto|header|query",
    help: "mirror: where the key is sent; auto tries the header, which stays out of logs, and then the query",
    fallback: "auto",
    ...words("auto", "header", "query"),
  },
  "mirror-resources": {
    value: "LIST",
    help: "mirror: resources to follow, separated by commas; empty for all",
    fallback: "",
    check: (text: string) => listOf(text).every((name) => catalog.some((resource) => resource.name === name)),
    expected: `some of ${catalog.map(({ name }) => name).join(", ")}, separated by commas`,
  },
  "mirror-from": {
    value: "DAY",
    help: "mirror: first day to read, YYYY-MM-DD; empty for all that there is",
    fallback: "",
    check: (text: string) => text === "" || isDay(text),
    expected: "a day as YYYY-MM-DD",
  },
  "mirror-budget": {
    value: "RATE",
    help: "mirror: requests that may be sent to the upstream, such as 5/s, 100/m or 1000/h",
    fallback: "5/s",
    check: (text: string) => parseRate(text) !== undefined,
    expected: "a rate such as 5/s, 100/m or 1000/h",
  },
  "mirror-every": {
    value: "TIME",
    help: "mirror: how often the upstream is asked for what has changed, such as 30s or 5m",
    fallback: "30s",
    check: (text: string) => /^[1-9]\d{0,4}[smhd]?$/.test(text),
    expected: "a time such as 30s or 5m",
  },
  "mirror-via": {
    value: "auto|changes|lists",
    help: "mirror: what is read of the upstream; auto takes the change feed where the key may read it",
    fallback: "auto",
    ...words("auto", "changes", "lists"),
  },
  "mirror-recheck-days": {
    value: "DAYS",
    help: "mirror: how many days back the lists are read again now and then for what was missed; 0 for none",
    fallback: "7",
    ...number(0, 36_500),
  },
  "mirror-learn": {
    value: "LIST",
    help: `mirror: attributes that no list shows, learned by asking with each value of a filter, which costs requests; some of ${learnable.join(", ")}, separated by commas`,
    fallback: "",
    check: (text: string) => parseProbes(text, catalog) !== undefined,
    expected: "filters such as importance or content_types=story|report, separated by commas",
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
