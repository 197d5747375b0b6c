// What whoever runs the server asks it: its numbers, and how it stands. For keys with the scope `admin`.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Resource } from "../../core/catalog/resource.ts";
import { metricsPath, statusPath } from "../../core/operating.ts";
import { newestFirst } from "../../core/query/plan.ts";
import { recall } from "../../core/record/encoding.ts";
import { aggregate, exposition, type Family, gauge } from "../../metrics/family.ts";
import type { Store } from "../../store/store.ts";
import { nameIgnored, refuse } from "../headers/ignored-parameters.ts";
import type { Authenticate } from "../request/auth.ts";
import { granted } from "../request/require-scope.ts";
import { contentTypes } from "../response/page-body.ts";

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
  /** Whether metrics are told to anyone who asks. */
  readonly metricsOpen?: boolean;
};

export type OperationRoutes = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly about: About;
  /** Numbers of this process. */
  readonly families: () => Family[];
  /** Throws while requests for records can't be answered. */
  readonly gate: () => Promise<void>;
  /** Unix seconds. */
  readonly now: () => number;
};

export function operationRoutes(app: FastifyInstance, deps: OperationRoutes): void {
  const { about, store } = deps;
  const config = { route: { use: "admin", resource: "" } } as const;

  const ofAll = async () => [deps.families(), ...((await about.siblings?.()) ?? [])];

  app.get(metricsPath, { config }, async (request, reply) => {
    // Without the gate: while the database is away, the numbers say so. A key can't be looked up then.
    if (!about.metricsOpen) await admitted(request, deps, "text");
    const shared = await Promise.all([ofResources(deps), about.mirror?.().then((found) => found?.families)]).catch(
      () => [],
    );
    const registry = aggregate([...(await ofAll()), shared.flatMap((families) => families ?? [])]);
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await exposition(registry));
  });

  app.get(statusPath, { config, onRequest: deps.gate }, async (request, reply) => {
    const { state, ignored } = await admitted(request, deps, "json");
    nameIgnored(reply, ignored);
    const registry = aggregate(await ofAll());
    const numberOf = async (name: string): Promise<number> =>
      (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0;
    const body = {
      version: about.version,
      started: isoTime(about.started),
      now: isoTime(deps.now()),
      database: { kind: about.database },
      zone: state.settings.zone,
      resources: await Promise.all(deps.catalog.map((resource) => standOf(store, resource))),
      mirror: (await about.mirror?.())?.status ?? null,
      cache: {
        bytes: await numberOf("bellwire_cache_bytes"),
        hits: await numberOf("bellwire_cache_hits_total"),
        misses: await numberOf("bellwire_cache_misses_total"),
      },
    };
    return reply.header("cache-control", "no-store").type(contentTypes.json).send(JSON.stringify(body));
  });
}

async function admitted(request: FastifyRequest, deps: OperationRoutes, form: "json" | "text") {
  const { state, query, mistakes } = await granted(request, deps, "admin", { form });
  refuse(mistakes);
  return { state, ignored: [...query.keys()] };
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
  const { name, order, sold } = resource;
  const plan = {
    resource,
    where: [],
    order: newestFirst(...order.map(({ column }) => column)),
    ranked: false,
    limit: 1,
    offset: 0,
    filled: [],
  };
  const [records, { records: found }, changed] = await Promise.all([
    store.count(resource),
    store.records(plan),
    store.lastChanged(resource),
  ]);
  const newest = found.map(({ json, beside }) => recall(resource, json, beside)[sold.history])[0];
  return {
    name,
    records,
    newest: typeof newest === "number" ? isoTime(newest) : typeof newest === "string" ? newest : null,
    changed: changed === undefined ? null : isoTime(changed),
  };
}

/** What every process reads in the same place is read by the one that is asked. */
async function ofResources({ store, catalog }: OperationRoutes): Promise<Family[]> {
  const stands = await Promise.all(
    catalog.map(async (resource) => ({
      labels: { resource: resource.name },
      records: await store.count(resource),
      changed: await store.lastChanged(resource),
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
