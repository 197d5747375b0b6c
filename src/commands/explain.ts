// `explain`: shows how a request is parsed and executed, and what it costs.
import { UsageError } from "../config.ts";
import { type ParsedQuery, parseListQuery } from "../core/query/planner.ts";
import { parseQuery, withPathParameters } from "../core/query/query-string.ts";
import { listUrls } from "../http/headers/link.ts";
import { cleanPath, pathParametersOf } from "../http/not-found.ts";
import { lengthOf, PooledBuffer } from "../http/response/buffer-pool.ts";
import { pageBody } from "../http/response/page-body.ts";
import { catalog } from "../resources/catalog.ts";
import { extensions } from "../resources/lists/extensions.ts";
import type { Store, StoreState } from "../store/store.ts";
import { type Command, print, printError } from "./command.ts";
import { withStore } from "./shared/open-store.ts";

const listings = [...catalog, ...extensions];

export const explainCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  run: async ({ args: [url], config }) => {
    if (url === undefined) throw new UsageError("URL: expected a path and query such as '/api/v2/news?tickers=AAPL'");
    const local = url.replace(/^https?:\/\/[^/]+/, "");
    const listing = listings.find(({ path }) => pathParametersOf(path, local) !== undefined);
    if (listing === undefined) {
      throw new UsageError(
        `URL: expected one of ${listings.map(({ path }) => path).join(", ")}; got "${cleanPath(local)}"`,
      );
    }
    const { query: given, errors } = parseQuery(local.includes("?") ? local.slice(local.indexOf("?") + 1) : "");
    return withStore(
      config,
      async (store) => {
        const state = await store.state();
        const { query } = withPathParameters(given, pathParametersOf(listing.path, local) ?? {});
        const reading = parseListQuery(listing, query, state.rendering);
        const wrong = [...errors, ...("errors" in reading ? reading.errors : [])];
        for (const { parameter, given, expected } of wrong)
          printError(`${parameter}: expected ${expected}, got "${given}"`);
        if (wrong.length > 0 || "errors" in reading) return 1;
        await show(store, state, reading.ok);
        return 0;
      },
      "must exist",
    );
  },
};

async function show(store: Store, state: StoreState, parsedQuery: ParsedQuery): Promise<void> {
  const { listing, plan, view, parts, ignored } = parsedQuery;
  const { resource: _table, ...rest } = plan;
  const plans = "computed" in listing ? listing.computed?.sources(plan).map((each) => each.plan) : undefined;
  const section = (title: string, lines: readonly string[]) =>
    print(`${title}\n${(lines.length > 0 ? lines : ["none"]).map((line) => `  ${line}`).join("\n")}\n`);
  section("Resource", [`${listing.name}: ${listing.doc}`]);
  section(
    "Parts",
    parts
      .filter(({ names }) => names.length > 0)
      .map(({ names, part }) => `${names.join(", ")} → ${JSON.stringify(part)}`),
  );
  const unknown = ignored.filter((name) => name !== "token");
  if (unknown.length > 0) section("Ignored", unknown);
  section(
    "Plan",
    Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
  );
  if (view.selectedFields !== undefined || view.transforms.length > 0) {
    section("View", [
      `fields: ${view.selectedFields?.join(", ") ?? "all"}`,
      `changes: ${view.transforms.map(({ name }) => name).join(", ") || "none"}`,
    ]);
  }
  for (const each of plans ?? [plan]) {
    const { sql, parameters, steps } = await store.explain(each);
    section("SQL", [sql]);
    section(
      "Parameters",
      parameters.map((value, index) => `${index + 1}: ${typeof value === "bigint" ? value : JSON.stringify(value)}`),
    );
    section("Query plan", steps);
  }
  section("Time", [await measure(store, state, parsedQuery)]);
}

/** The median of repeated runs: what the response costs the server, without the network. */
async function measure(store: Store, state: StoreState, parsedQuery: ParsedQuery): Promise<string> {
  const urls = listUrls(parsedQuery.listing.path, "");
  const times: number[] = [];
  let bytes = 0;
  const end = performance.now() + 1000;
  for (let run = 0; run < 51 && (run === 0 || performance.now() < end); run++) {
    const start = performance.now();
    const { body } = await pageBody(store, parsedQuery, state, urls);
    bytes = lengthOf(body);
    if (body instanceof PooledBuffer) body.release();
    times.push((performance.now() - start) * 1000);
  }
  const first = times[0] ?? 0;
  const median = times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
  return `${Math.round(median)} µs per request (median of ${times.length}; the first took ${Math.round(first)} µs), ${bytes} bytes`;
}
