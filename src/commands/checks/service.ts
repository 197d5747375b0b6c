// Checks the database's contents: time zone, keys, last change, records, and mirror.
import type { Config } from "../../config.ts";
import { addDays, localDay, zone } from "../../core/value/time-zone.ts";
import { hashKey, pageKey } from "../../keys/key.ts";
import { keyState } from "../../keys/key-store.ts";
import { mirrorStatus } from "../../mirror/status.ts";
import { catalog } from "../../resources/catalog.ts";
import type { KeyRow, Store, StoreState } from "../../store/store.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";
import { isLocal } from "./machine.ts";

/** Tolerance for a writer whose clock is slightly ahead. */
const maxSecondsAhead = 60;
const expiryWarningDays = 14;
const maxLag = 3600;

export async function checkService(store: Store, config: Config, now: number): Promise<Finding[]> {
  const state = await store.state();
  return [
    checkZone(state.settings.zone, config),
    await checkTime(store, now),
    await checkRecords(store),
    ...(await checkKeys(store, state, config, now)),
    ...(await checkMirror(store, now)),
  ];
}

function checkZone(stored: string, config: Config): Finding {
  const provided = config.provided("zone");
  if (zone(stored) === undefined)
    return fault("zone", `this Node.js doesn't know ${stored}`, "use a Node.js build with full time zone data");
  if (provided !== undefined && provided !== stored) {
    const found = `the database uses ${stored}, but ${provided} is configured`;
    return warning("zone", found, "the next start will re-encode every record, which takes a while");
  }
  return ok("zone", `${stored}, for the timestamps and days of news`);
}

async function checkTime(store: Store, now: number): Promise<Finding> {
  const times = await Promise.all(catalog.map((resource) => store.lastChangedAt(resource)));
  const last = Math.max(0, ...times.map((time) => time ?? 0));
  if (last > now + maxSecondsAhead) {
    const found = `the last change is ${Math.round(last - now)} s in the future`;
    return warning("clock", found, "synchronize the clock with NTP: `updated` and the delays of keys depend on it");
  }
  return ok("clock", last === 0 ? "nothing has been written" : `the last change was at ${iso(last)}`);
}

async function checkRecords(store: Store): Promise<Finding> {
  const counts = await Promise.all(catalog.map((resource) => store.count(resource)));
  const text = catalog.map(({ name }, at) => `${name} ${counts[at]?.toLocaleString("en")}`).join(", ");
  return counts.every((count) => count === 0)
    ? warning("records", "none", "import some, mirror an upstream with --mirror, or run serve to load the demo")
    : ok("records", text);
}

async function checkKeys(store: Store, state: StoreState, config: Config, now: number): Promise<Finding[]> {
  const day = localDay(state.rendering.zone, now);
  const soon = addDays(day, expiryWarningDays);
  const usable = (await store.listKeys()).filter((key) => ["valid", "retiring"].includes(keyState(key, now, day)));
  if (usable.length === 0)
    return [warning("keys", "none is valid", "create one with: bellwire keys create --name NAME")];
  const findings = [ok("keys", `${usable.length} valid`)];
  const expiring = usable.filter(({ expires }) => expires !== "" && expires <= soon).map(({ name }) => name);
  if (expiring.length > 0)
    findings.push(
      warning("keys", `expiring within ${expiryWarningDays} days: ${expiring.join(", ")}`, "notify their owners"),
    );
  return [...findings, ...checkDemoKeys(usable, state, config)];
}

/** The demo's keys, which a server that others can reach should not have. */
function checkDemoKeys(keys: readonly KeyRow[], { databaseId }: StoreState, config: Config): Finding[] {
  const pageKeyHash = hashKey(pageKey(databaseId));
  const level = isLocal(config.get("host")) ? warning : fault;
  const finding = (name: string, found: string) => level("keys", found, `revoke it with: bellwire keys revoke ${name}`);
  return keys.flatMap(({ name, hash }) => {
    if (hash === pageKeyHash) return [finding(name, `/page.json publishes the key "${name}"`)];
    return name === "demo" ? [finding(name, "the demo key is valid")] : [];
  });
}

async function checkMirror(store: Store, now: number): Promise<Finding[]> {
  const status = await mirrorStatus(store, catalog, now);
  if (status === undefined) return [];
  const errors = Object.values(status.errors).map(({ text }) => text);
  const late = status.resources.filter(({ lag }) => (lag ?? 0) > maxLag).map(({ resource }) => resource);
  const about = `of ${status.upstream}, ${status.holder === null ? "not running" : `run by ${status.holder}`}`;
  const more = "see: bellwire mirror status";
  if (errors.length > 0) return [warning("mirror", `${about}: ${errors.join("; ")}`, more)];
  if (late.length > 0) return [warning("mirror", `${about}: an hour or more behind for ${late.join(", ")}`, more)];
  return [ok("mirror", about)];
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
