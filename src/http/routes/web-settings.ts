// `/page.json`: settings of the web page. Public; in the demo it contains a key.
import type { Resource } from "../../core/catalog/resource.ts";
import { localDay } from "../../core/value/time-zone.ts";
import type { serverEndpoints } from "../../endpoints/server.ts";
import { hashKey, pageKey } from "../../keys/key.ts";
import { validUntil } from "../../keys/key-store.ts";
import type { Store } from "../../store/store.ts";
import type { Handler } from "./endpoints.ts";
import type { ServerInfo } from "./status.ts";

type PageSettingsHandler = Handler<(typeof serverEndpoints.endpoints)["getPageSettings"]>;

type PageSettings = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly version: string;
  readonly setup: ServerInfo["setup"];
  /** Throws while requests can't be served. */
  readonly gate: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
};

export function pageSettings({ catalog, store, version, setup, gate, now }: PageSettings): PageSettingsHandler {
  const resources = catalog.map(({ name, title, path }) => ({ name, title, path }));
  return async (_request, reply) => {
    await gate();
    const state = await store.state();
    const { zone } = state.rendering;
    const key = await demoKey(store, now());
    // The log of a database that was filled long ago may be empty too.
    const isEmpty = state.position === 0 && (await isWithoutRecords(store, catalog));
    return reply.header("cache-control", "no-store").send({
      ...{ version, zone: zone.name, today: localDay(zone, now()), resources },
      ...(setup === undefined ? {} : { command: setup.command }),
      ...(isEmpty ? { empty: true, ...(setup?.database === undefined ? {} : { database: setup.database }) } : {}),
      ...(key === undefined ? {} : { key }),
    });
  };
}

/** Only the demo's database has this key, until it is revoked or expires. */
export async function demoKey(store: Store, now: number): Promise<string | undefined> {
  const state = await store.state();
  const key = pageKey(state.databaseId);
  const row = await store.findKey(hashKey(key), state);
  const isValid = row !== undefined && row.revoked === undefined && now < validUntil(row, state.rendering.zone);
  return isValid ? key : undefined;
}

const isWithoutRecords = async (store: Store, catalog: readonly Resource[]): Promise<boolean> =>
  (await Promise.all(catalog.map((resource) => store.count(resource)))).every((count) => count === 0);
