// `tail`: prints the changes of a resource as NDJSON while they happen, from a server or from a database.
import { once } from "node:events";
import { UsageError } from "../../config.ts";
import { sincePositions } from "../../core/query/stream.ts";
import { type Command, printError } from "../command.ts";
import { withStore } from "../shared/open-store.ts";
import { resourceByName } from "../shared/resource-by-name.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import { databaseEvents } from "./database-events.ts";
import { serverEvents } from "./server-events.ts";
import type { TailEvent, TailRequest } from "./tail-event.ts";

export const tailCommand: Command = {
  maxArgs: 2,
  settings: ["database"],
  options: {
    url: {
      value: "BASE_URL",
      help: "server to read from, such as https://news.example.com, instead of the database\n      environment: BELLWIRE_URL",
    },
    token: { value: "KEY", help: "key of that server\n      environment: BELLWIRE_TOKEN" },
    since: {
      value: "POSITION",
      help: "continue after this position, which every line has; start prints everything that the change log retains [from now on]",
    },
  },
  run: async ({ args: [name, filters = ""], config, options }) => {
    const resource = resourceByName(name);
    const since = options.since as string | undefined;
    if (since !== undefined && sincePositions.parse(since) === undefined)
      throw new UsageError(`--since: expected ${sincePositions.expected}, got "${since}"`);
    const server = serverOf(options);
    const stopped = new AbortController();
    const stop = (): void => stopped.abort();
    void stopSignal().then(stop);
    // The reader of a pipe, such as head, may stop early.
    process.stdout.once("error", stop);
    const request: TailRequest = {
      resource,
      query: filters.replace(/^\?/, ""),
      since,
      signal: stopped.signal,
      report: (text) => printError(`tail: ${text}`),
    };
    if (server !== undefined) await printAll(serverEvents(server, request), stopped.signal);
    else await withStore(config, (store) => printAll(databaseEvents(store, request), stopped.signal), "must exist");
    return 0;
  },
};

/** Undefined if the database is to be read. An explicit `--database` takes precedence over the environment. */
function serverOf({ url, token, database }: Readonly<Record<string, unknown>>) {
  if (url !== undefined && database !== undefined) throw new UsageError("--url: expected either --url or --database");
  const base = url ?? (database === undefined ? process.env.BELLWIRE_URL : undefined);
  if (base === undefined || base === "") {
    if (token === undefined) return undefined;
    throw new UsageError("--token: expected --url as well; a database needs no key");
  }
  const text = String(base);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--url: expected an http:// or https:// URL, got "${text}"`);
  const key = String(token ?? process.env.BELLWIRE_TOKEN ?? "");
  if (key === "") throw new UsageError("--token: expected a key of the server, in this flag or in BELLWIRE_TOKEN");
  return { base: new URL(text), token: key };
}

async function printAll(events: AsyncIterable<TailEvent>, signal: AbortSignal): Promise<void> {
  for await (const { position, json } of events) {
    if (process.stdout.write(`{"position":${JSON.stringify(position)},${json.slice(1)}\n`)) continue;
    await once(process.stdout, "drain", { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}
