// What the database holds for the service: zone, keys, the time of its last change, the mirror.
import type { Config } from "../../config.ts";
import { addDays, localDay, zone } from "../../core/value/time-zone.ts";
import { hashKey, pageKey } from "../../keys/key.ts";
import { keyState } from "../../keys/key-store.ts";
import { mirrorStatus } from "../../mirror/status.ts";
import { catalog } from "../../resources/catalog.ts";
import type { KeyRow, Store, StoreState } from "../../store/store.ts";
import { type Finding, fault, fine, warning } from "./finding.ts";
import { isLocal } from "./machine.ts";

/** The clock of whoever wrote may be a little ahead. */
const mostSecondsAhead = 60;
const soonDays = 14;
const longestLag = 3600;

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

function checkZone(kept: string, config: Config): Finding {
  const given = config.given("zone");
  if (zone(kept) === undefined)
    return fault("zone", `this Node.js does not know ${kept}`, "run a Node.js with full time zone data");
  if (given !== undefined && given !== kept) {
    const found = `${kept} is kept in the database, and ${given} is set`;
    return warning("zone", found, "the next start renders every record again, which takes a while");
  }
  return fine("zone", `${kept}: news is printed and its days are counted in it`);
}

async function checkTime(store: Store, now: number): Promise<Finding> {
  const times = await Promise.all(catalog.map((resource) => store.lastChangedAt(resource)));
  const last = Math.max(0, ...times.map((time) => time ?? 0));
  if (last > now + mostSecondsAhead) {
    const found = `the last change is ${Math.round(last - now)} s in the future`;
    return warning("clock", found, "let NTP set the clock: `updated` and delays of keys depend on it");
  }
  return fine("clock", last === 0 ? "nothing has been written" : `the last change was at ${iso(last)}`);
}

async function checkRecords(store: Store): Promise<Finding> {
  const counts = await Promise.all(catalog.map((resource) => store.count(resource)));
  const text = catalog.map(({ name }, at) => `${name} ${counts[at]?.toLocaleString("en")}`).join(", ");
  return counts.every((count) => count === 0)
    ? warning("records", "none", "import some, follow an upstream with --mirror, or start serve for the demo")
    : fine("records", text);
}

async function checkKeys(store: Store, state: StoreState, config: Config, now: number): Promise<Finding[]> {
  const day = localDay(state.rendering.zone, now);
  const soon = addDays(day, soonDays);
  const good = (await store.listKeys()).filter((key) => ["valid", "retiring"].includes(keyState(key, now, day)));
  if (good.length === 0) return [warning("keys", "none is valid", "make one with: bellwire keys create --name NAME")];
  const findings = [fine("keys", `${good.length} valid`)];
  const expiring = good.filter(({ expires }) => expires !== "" && expires <= soon).map(({ name }) => name);
  if (expiring.length > 0)
    findings.push(warning("keys", `they end within ${soonDays} days: ${expiring.join(", ")}`, "tell their owners"));
  return [...findings, ...checkDemoKeys(good, state, config)];
}

/** The keys that the demo has made: a server that others can reach should have neither. */
function checkDemoKeys(good: readonly KeyRow[], { databaseId: database }: StoreState, config: Config): Finding[] {
  const ofPage = hashKey(pageKey(database));
  const level = isLocal(config.get("host")) ? warning : fault;
  const tell = (name: string, found: string) => level("keys", found, `revoke it with: bellwire keys revoke ${name}`);
  return good.flatMap(({ name, hash }) => {
    if (hash === ofPage) return [tell(name, `/page.json gives the key "${name}" to everyone who asks`)];
    return name === "demo" ? [tell(name, "the key of the demo is valid")] : [];
  });
}

async function checkMirror(store: Store, now: number): Promise<Finding[]> {
  const status = await mirrorStatus(store, catalog, now);
  if (status === undefined) return [];
  const errors = Object.values(status.errors).map(({ text }) => text);
  const late = status.resources.filter(({ lag }) => (lag ?? 0) > longestLag).map(({ resource }) => resource);
  const about = `of ${status.upstream}, ${status.holder === null ? "not running" : `run by ${status.holder}`}`;
  const more = "see: bellwire mirror status";
  if (errors.length > 0) return [warning("mirror", `${about}: ${errors.join("; ")}`, more)];
  if (late.length > 0) return [warning("mirror", `${about}: an hour or more behind in ${late.join(", ")}`, more)];
  return [fine("mirror", about)];
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
