// Status and metrics, for operators.
import type { Resource } from "../../core/catalog/resource.ts";
import { newestFirst } from "../../core/query/plan.ts";
import { decodeRecord } from "../../core/record/encoding.ts";
import { isoTime } from "../../core/value/timestamp.ts";
import type { operationEndpoints } from "../../endpoints/operations.ts";
import { mergeOpenStreams, type OpenStreams, type OpenStreamsQuery } from "../../live/open-streams.ts";
import { aggregate, exposition, type Family, gauge } from "../../metrics/family.ts";
import type { Store } from "../../store/store.ts";
import { throwIfInvalid } from "../headers/ignored-parameters.ts";
import type { Authenticate } from "../request/auth.ts";
import { requireScope } from "../request/require-scope.ts";
import type { Handlers } from "./endpoints.ts";

/** What a process reports about itself. */
export type ProcessReports = {
  readonly families: () => Family[];
  readonly openStreams: (query: OpenStreamsQuery) => OpenStreams;
};

/** The same from every other process. */
export type SiblingReports = {
  readonly [Name in keyof ProcessReports]: (
    ...query: Parameters<ProcessReports[Name]>
  ) => Promise<readonly ReturnType<ProcessReports[Name]>[]>;
};

export type ServerInfo = {
  readonly version: string;
  /** Unix seconds. */
  readonly started: number;
  readonly database: "sqlite" | "postgres";
  /** How commands are run here, and on which SQLite file if it isn't the default. */
  readonly setup?: { readonly command: string; readonly database?: string };
  /** Of the other server processes. */
  readonly siblings?: SiblingReports;
  /** Undefined if the database isn't a mirror. */
  readonly mirror?: () => Promise<{ readonly status: object; readonly families: readonly Family[] } | undefined>;
  /** Whether metrics are exposed without authentication. */
  readonly metricsOpen?: boolean;
};

export type StatusDeps = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly info: ServerInfo;
  readonly reports: ProcessReports;
  /** Unix seconds. */
  readonly now: () => number;
};

export function statusHandlers(deps: StatusDeps): Handlers<ReturnType<typeof operationEndpoints>["endpoints"]> {
  const { info, catalog, store, reports } = deps;
  const allProcesses = async () => [reports.families(), ...((await info.siblings?.families()) ?? [])];
  return {
    readMetrics: async (request, reply) => {
      // Open metrics are served even without the database, whose absence they show.
      if (!info.metricsOpen) throwIfInvalid((await requireScope(request, deps, "admin", { format: "text" })).errors);
      const shared = await Promise.all([resourceMetrics(deps), info.mirror?.().then((found) => found?.families)]).catch(
        () => [],
      );
      const registry = aggregate([...(await allProcesses()), shared.flatMap((families) => families ?? [])]);
      return reply
        .header("cache-control", "no-store")
        .type(registry.contentType)
        .send(await exposition(registry));
    },

    listStreams: async ({ values }) => {
      const others = (await info.siblings?.openStreams(values)) ?? [];
      const body = mergeOpenStreams([reports.openStreams(values), ...others], values.limit);
      return { body: { now: isoTime(deps.now()), ...body } };
    },

    readStatus: async ({ state }) => {
      const registry = aggregate(await allProcesses());
      const numberOf = async (name: string): Promise<number> =>
        (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
      return {
        body: {
          version: info.version,
          started: isoTime(info.started),
          now: isoTime(deps.now()),
          database: { kind: info.database },
          zone: state.settings.zone,
          resources: await Promise.all(catalog.map((resource) => resourceStatus(store, resource))),
          mirror: (await info.mirror?.())?.status ?? null,
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

type ResourceStatus = {
  readonly name: string;
  readonly records: number;
  /** Day or time of the newest record; null if there is none. */
  readonly newest: string | null;
  /** Time of the last change; null if the change log has none. */
  readonly changed: string | null;
};

async function resourceStatus(store: Store, resource: Resource): Promise<ResourceStatus> {
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
  const newest = found.map(({ json, hidden }) => decodeRecord(resource, json, hidden)[entitlements.history])[0];
  return {
    name,
    records,
    newest: typeof newest === "number" ? isoTime(newest) : typeof newest === "string" ? newest : null,
    changed: changed === undefined ? null : isoTime(changed),
  };
}

/** Metrics of the database, the same for all processes. */
async function resourceMetrics({ store, catalog }: StatusDeps): Promise<Family[]> {
  const statuses = await Promise.all(
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
      statuses.map(({ labels, records }) => ({ labels, value: records })),
    ),
    gauge(
      "bellwire_resource_changed_timestamp_seconds",
      "When a record was last added, changed, or removed.",
      statuses.flatMap(({ labels, changed }) => (changed === undefined ? [] : [{ labels, value: changed }])),
    ),
  ];
}
