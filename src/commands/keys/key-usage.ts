// `keys usage`: what keys have used, by day, key and resource.
import { UsageError } from "../../config.ts";
import { type GivenDays, usageDays } from "../../core/usage.ts";
import { isDay, localDay } from "../../core/value/time-zone.ts";
import type { Store } from "../../store/store.ts";
import { complain, type Invocation, say } from "../command.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";

export const usageOptions = {
  from: { value: "DAY", help: "usage: first day, YYYY-MM-DD; 30 days up to the last one unless given" },
  to: { value: "DAY", help: "usage: last day, YYYY-MM-DD; today unless given" },
};

export async function showUsage({ words, options, config }: Invocation): Promise<number> {
  const [, key] = words;
  const given = { from: dayOf(options, "from"), to: dayOf(options, "to") };
  return withStore(config, (store) => show(store, given, key), "must exist");
}

function dayOf(options: Invocation["options"], name: "from" | "to"): string | undefined {
  const text = options[name];
  if (text === undefined || isDay(String(text))) return text === undefined ? undefined : String(text);
  throw new UsageError(`--${name}: expected a day as YYYY-MM-DD, got "${text}"`);
}

async function show(store: Store, given: GivenDays, key: string | undefined): Promise<number> {
  const { rendering } = await store.state();
  const days = usageDays(given, localDay(rendering.zone, Date.now() / 1000));
  if ("mistake" in days) throw new UsageError(`--from: expected ${days.mistake.expected}, got "${days.mistake.given}"`);
  const rows = await store.usage({ ...days, key });
  if (key !== undefined && rows.length === 0 && !(await store.listKeys()).some(({ name }) => name === key)) {
    complain(`keys usage: no key is named "${key}"; see: bellwire keys list`);
    return 1;
  }
  if (rows.length === 0) complain(`nothing was used from ${days.from} to ${days.to}`);
  const cells = rows.map(({ day, key: name, resource, requests, records, bytes, errors, limited }) => [
    ...[day, name, resource],
    ...[requests, records, bytes, errors, limited].map(String),
  ]);
  if (rows.length > 0)
    say(table(["DAY", "KEY", "RESOURCE", "REQUESTS", "RECORDS", "BYTES", "ERRORS", "LIMITED"], cells));
  return 0;
}
