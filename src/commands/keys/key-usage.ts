// `keys usage`: usage of keys by day, key, and resource.
import { UsageError } from "../../config.ts";
import { type RequestedDays, usageDays } from "../../core/usage.ts";
import { isDay, localDay } from "../../core/value/time-zone.ts";
import type { Store } from "../../store/store.ts";
import { type Invocation, print, printError } from "../command.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";

export const usageOptions = {
  from: { value: "DAY", help: "usage: first day, YYYY-MM-DD; by default 30 days up to --to" },
  to: { value: "DAY", help: "usage: last day, YYYY-MM-DD; by default today" },
};

export async function showUsage({ args, options, config }: Invocation): Promise<number> {
  const [, key] = args;
  const given = { from: dayOf(options, "from"), to: dayOf(options, "to") };
  return withStore(config, (store) => show(store, given, key), "must exist");
}

function dayOf(options: Invocation["options"], name: "from" | "to"): string | undefined {
  const text = options[name];
  if (text === undefined || isDay(String(text))) return text === undefined ? undefined : String(text);
  throw new UsageError(`--${name}: expected a day as YYYY-MM-DD, got "${text}"`);
}

async function show(store: Store, given: RequestedDays, key: string | undefined): Promise<number> {
  const { rendering } = await store.state();
  const days = usageDays(given, localDay(rendering.zone, Date.now() / 1000));
  if ("error" in days) throw new UsageError(`--from: expected ${days.error.expected}, got "${days.error.given}"`);
  const rows = await store.usage({ ...days, key });
  if (key !== undefined && rows.length === 0 && !(await store.listKeys()).some(({ name }) => name === key)) {
    printError(`keys usage: no key is named "${key}"; see: bellwire keys list`);
    return 1;
  }
  if (rows.length === 0) printError(`no usage from ${days.from} to ${days.to}`);
  const cells = rows.map(({ day, key: name, resource, requests, records, bytes, errors, limited }) => [
    ...[day, name, resource],
    ...[requests, records, bytes, errors, limited].map(String),
  ]);
  if (rows.length > 0)
    print(table(["DAY", "KEY", "RESOURCE", "REQUESTS", "RECORDS", "BYTES", "ERRORS", "LIMITED"], cells));
  return 0;
}
