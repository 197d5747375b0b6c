// Status and metrics of the server, for its operators.

import type { Resource } from "../../core/catalog/resource.ts";
import { newestFirst } from "../../core/query/plan.ts";
import { decodeRecord } from "../../core/record/encoding.ts";
import type { operationEndpoints } from "../../endpoints/operations.ts";
import { aggregate, exposition, type Family, gauge } from "../../metrics/family.ts";
import type { Store } from "../../store/store.ts";
import { refuse } from "../headers/ignored-parameters.ts";
import type { Authenticate } from "../request/auth.ts";
import { granted } from "../request/require-scope.ts";
import type { Handlers } from "./endpoints.ts";

/** What a server knows of itself, and how it learns the rest. */
export type About = {
  readonly version: string;
  /** Unix seconds. */
  readonly started: number;
  /** What kind of database it has. */
  readonly database: "sqlite" | "postgres";
  /** The numbers of the other processes that serve with this one. */
  readonly siblings?: () => Promise<readonly (readonly Family[])[]>;
  /** How the mirror stands; undefined when the database is no mirror. */
  readonly mirror?: () => Promise<{ readonly status: object; readonly families: readonly Family[] } | undefined>;
  /** Whether metrics are exposed without authentication. */
  readonly metricsOpen?: boolean;
};

export type OperationDeps = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly about: About;
  /** Metrics of this process. */
  readonly families: () => Family[];
  /** Unix seconds. */
  readonly now: () => number;
};

export function operationHandlers(deps: OperationDeps): Handlers<typeof operationEndpoints.endpoints> {
  const { about, catalog, store } = deps;
  const ofAll = async () => [deps.families(), ...((await about.siblings?.()) ?? [])];
  return {
    readMetrics: async (request, reply) => {
      // Served without the database too, whose absence the metrics show. A key can't be looked up then.
      if (!about.metricsOpen) refuse((await granted(request, deps, "admin", { form: "text" })).mistakes);
      const shared = await Promise.all([ofResources(deps), about.mirror?.().then((found) => found?.families)]).catch(
        () => [],
      );
      const registry = aggregate([...(await ofAll()), shared.flatMap((families) => families ?? [])]);
      return reply
        .header("cache-control", "no-store")
        .type(registry.contentType)
        .send(await exposition(registry));
    },

    readStatus: async ({ state }) => {
      const registry = aggregate(await ofAll());
      const numberOf = async (name: string): Promise<number> =>
        (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
      return {
        body: {
          version: about.version,
          started: isoTime(about.started),
          now: isoTime(deps.now()),
          database: { kind: about.database },
          zone: state.settings.zone,
          resources: await Promise.all(catalog.map((resource) => standOf(store, resource))),
          mirror: (await about.mirror?.())?.status ?? null,
          cache: {
            bytes: await numberOf("bellwire_cache_bytes"),
            hits: await numberOf("bellwire_cache_hits_total"),
            misses: await numberOf("bellwire_cache_misses_total"),
          },
        },
      };
    },
  };
}

type Stand = {
  readonly name: string;
  readonly records: number;
  /** The day or the moment of the last record in order; null when there is none. */
  readonly newest: string | null;
  /** When a record was last added, changed or removed; null when the change log does not say. */
  readonly changed: string | null;
};

async function standOf(store: Store, resource: Resource): Promise<Stand> {
  const { name, order, entitlements } = resource;
  const plan = {
    resource,
    where: [],
    order: newestFirst(...order.map(({ column }) => column)),
    ranked: false,
    limit: 1,
    offset: 0,
    include: [],
  };
  const [records, { records: found }, changed] = await Promise.all([
    store.count(resource),
    store.records(plan),
    store.lastChangedAt(resource),
  ]);
  const newest = found.map(({ json, hidden: beside }) => decodeRecord(resource, json, beside)[entitlements.history])[0];
  return {
    name,
    records,
    newest: typeof newest === "number" ? isoTime(newest) : typeof newest === "string" ? newest : null,
    changed: changed === undefined ? null : isoTime(changed),
  };
}

/** What every process reads in the same place is read by the one that is asked. */
async function ofResources({ store, catalog }: OperationDeps): Promise<Family[]> {
  const stands = await Promise.all(
    catalog.map(async (resource) => ({
      labels: { resource: resource.name },
      records: await store.count(resource),
      changed: await store.lastChangedAt(resource),
    })),
  );
  return [
    gauge(
      "bellwire_resource_records",
      "Records in the database.",
      stands.map(({ labels, records }) => ({ labels, value: records })),
    ),
    gauge(
      "bellwire_resource_changed_timestamp_seconds",
      "When a record was last added, changed or removed.",
      stands.flatMap(({ labels, changed }) => (changed === undefined ? [] : [{ labels, value: changed }])),
    ),
  ];
}

const isoTime = (seconds: number): string => new Date(Math.floor(seconds) * 1000).toISOString().replace(".000Z", "Z");
