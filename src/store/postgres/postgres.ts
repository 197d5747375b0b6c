// The store on PostgreSQL: any number of processes in front of one primary, reads spread over replicas.

import type { Resource } from "../../core/catalog/resource.ts";
import { formOf } from "../../core/record/schema-hash.ts";
import type { Zone } from "../../core/value/time-zone.ts";
import { migrations as frozen, type Migration } from "../migrate.ts";
import { pageOf, recordsOf } from "../rows/page-result.ts";
import { tableOf } from "../sql/compile.ts";
import { totalSql } from "../sql/count-index.ts";
import { type AskDays, daysPage, daysStatement } from "../sql/day-counts.ts";
import type { Compiled } from "../sql/dialect.ts";
import {
  BusyError,
  type Explanation,
  type RenderingSettings,
  type Store,
  StoreError,
  type StoreState,
} from "../store.ts";
import { unsearched } from "./dialect.ts";
import { addKey, findKey, listKeys, revokeKey, rotateKey, updateKey } from "./keys.ts";
import { serverFamilies } from "./metrics.ts";
import { locks } from "./migrate.ts";
import { metadataOn, upsertSetting } from "./notes.ts";
import { isShared, pageBy, recordsBy, ways } from "./planner/planner.ts";
import { inTurn } from "./pool/mutex.ts";
import { Database, type DatabaseOptions, type Query } from "./pool/pool.ts";
import type { PgRow } from "./pool/statement.ts";
import { type StalenessLimits, Targets } from "./replicas/balancer.ts";
import { KeyVersion } from "./replicas/key-version.ts";
import { Target } from "./replicas/node.ts";
import { channel, readState } from "./replicas/node-state.ts";
import { allRows, batches, rowsAfter, rowsOf } from "./rows.ts";
import { upgrade } from "./schema.ts";
import { usageOn } from "./usage.ts";
import { forgetChanges, lastChanged, oldestChange, readChanges, takeTurn } from "./write/change-log.ts";
import { settleTables } from "./write/optimize.ts";
import { removeRows, rerender, takeOverChanges, writeRows } from "./write/write-records.ts";

export type PostgresOptions = Omit<DatabaseOptions, "url"> &
  StalenessLimits & {
    readonly url: string;
    readonly replicas: readonly string[];
    readonly catalog: readonly Resource[];
    /** Those of this version unless a test passes its own. */
    readonly migrations?: readonly Migration[];
    /** Unix seconds; a test may pass its own clock. */
    readonly now?: () => number;
  };

/** Opens the store, with no word to any server yet: they may be away. */
export function openPostgres(options: PostgresOptions): Store {
  const { catalog, migrations = frozen, now = () => Math.floor(Date.now() / 1000) } = options;
  const primary = new Target(new Database(options), { listen: true });
  const replicas = options.replicas.map((url) => new Target(new Database({ ...options, url }), { listen: false }));
  const targets = new Targets(primary, replicas, options);
  const form = formOf(catalog);
  for (const target of targets.all) {
    target.watch(() => {
      if (targets.all.some(({ isUp }) => isUp)) target.database.abandon();
    });
  }
  /** Which server a state came from, so that the records of an answer are never older than its tag. */
  const origins = new WeakMap<StoreState, Target>();
  const keyVersion = new KeyVersion(targets);
  const wayOf = ways(now);

  const from = (target: Target, known: StoreState): StoreState => {
    const state = keyVersion.applyTo(known);
    origins.set(state, target);
    return state;
  };
  const onPrimary: Query = (sql, ...values) => primary.database.query(sql, ...values);
  const keeping: Query = (sql, ...values) => primary.database.keep(sql, ...values);

  const targetOf = (state: StoreState | undefined): Target => (state && origins.get(state)) ?? targets.choose();

  /** A read on one server; when the server is lost, that is remembered, and the caller may try again. */
  const readOn = async <T>(
    target: Target,
    work: (query: Query, quick: Database["queryQuickly"]) => Promise<T>,
  ): Promise<T> => {
    const { database } = target;
    try {
      return await work(
        (sql, ...values) => database.query(sql, ...values),
        (asking) => database.queryQuickly(asking),
      );
    } catch (error) {
      if (error instanceof StoreError && error.retry) target.lost();
      throw error;
    }
  };

  // Writers of one process wait here: waiting in the database, each would hold a connection that readers need.
  const alone = inTurn(options.statementSeconds * 1000, () => new BusyError("too many writes wait for their turn"));

  /** One writer at a time: numbers of the change log then commit in their order, and no reader can skip one. */
  const write = async <T>(
    name: string,
    work: (client: Parameters<typeof writeRows>[0], query: Query) => Promise<{ result: T; changed: boolean }>,
  ): Promise<T> => {
    const writing = async (client: Parameters<typeof writeRows>[0], query: Query) => {
      // Rows are written by key. Without statistics, as after a large insert, the planner would scan whole tables instead.
      await query("select pg_advisory_xact_lock($1), set_config('enable_seqscan', 'off', true)", locks.write);
      const done = await work(client, query);
      if (done.changed) {
        await moveVersion(query, name);
        await query("select pg_notify($1, '')", channel);
      }
      return done.result;
    };
    const result = await alone(() => primary.database.transaction(writing));
    // It is committed, whatever becomes of the server now.
    await primary.refresh().catch(() => {});
    return result;
  };

  const changeKeys = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    write("keys", async (_client, query) => {
      const result = await work(query);
      return { result, changed: result !== false };
    });

  const stateNow = (): StoreState | Promise<StoreState> => {
    const target = targets.choose();
    if (target.known !== undefined) return from(target, target.known);
    return target.refresh().then((state) => from(target, state));
  };

  /** Days are those of the zone that the state tells. */
  const withDays = async <T>(
    given: StoreState | undefined,
    work: (zone: Zone, ask: AskDays, query: Query) => Promise<T>,
  ): Promise<T> => {
    const state = given ?? (await stateNow());
    return readOn(targetOf(state), (query) =>
      work(state.rendering.zone, ({ sql, parameters }) => query(sql, ...parameters), query),
    );
  };

  const page: Store["page"] = (plan, state, wish) => {
    if (plan.resource.daysOf !== undefined)
      return withDays(state, (zone, ask) => daysPage(plan, zone, unsearched, ask));
    return readOn(targetOf(state), async (query, quick) => {
      const way = await wayOf(query, plan);
      const asking = pageBy(way, wish);
      const [row] = await (isShared(way) ? quick(asking) : query(asking.sql, ...asking.parameters));
      return pageOf(plan, row, wish?.reshape);
    });
  };

  return {
    prepare: async () => {
      await upgrade(primary.database, catalog, migrations);
      // So that the first request finds every server that is up.
      await Promise.all(targets.all.map((target) => target.look()));
    },
    state: stateNow,
    staleness: (state) => (primary.isConfirmed ? undefined : targets.staleness(targetOf(state))),
    page,
    records: (plan, state) =>
      readOn(targetOf(state), async (query) => {
        const { sql, parameters } = recordsBy(await wayOf(query, plan));
        return recordsOf(plan, await query(sql, ...parameters));
      }),
    explain: (plan) =>
      plan.resource.daysOf === undefined
        ? readOn(targets.choose(), async (query) => explain(query, pageBy(await wayOf(query, plan))))
        : withDays(undefined, async (zone, ask, query) =>
            explain(query, await daysStatement(plan, zone, unsearched, ask)),
          ),

    put: (resource, rows, { log = true } = {}) =>
      write(resource.name, async (client, query) => {
        const { rendering } = await readState(query);
        const result = await writeRows(client, query, resource, rows, rendering, log ? now() : undefined);
        const changed = result.some((outcome) => outcome !== "unchanged");
        return { result, changed };
      }),
    remove: (resource, ids) =>
      write(resource.name, async (client, query) => {
        const result = await removeRows(client, query, resource, ids, now());
        return { result, changed: result > 0 };
      }),
    scan: (resource, after) => allRows(primary.database, resource, after),
    optimize: (resource) => settleTables(keeping, resource),
    count: async (resource) => {
      const [row] = await primary.database.query(totalSql(resource, tableOf(resource)));
      return Number(row?.n);
    },
    isEmpty: async () => {
      const tests = catalog.map((resource) => `exists (select 1 from ${tableOf(resource)})`);
      const [row] = await primary.database.query(`select not (${tests.join(" or ")}) as empty`);
      return row?.empty === true;
    },
    rowsOf: (resource, ids) => rowsOf(onPrimary, resource, ids),
    rowsAfter: (resource, after, limit) => rowsAfter(onPrimary, resource, after, limit),
    changes: (after, limit, resource) => readChanges(onPrimary, after, limit, resource),
    lastPosition: async () => {
      const [row] = await primary.database.query("select coalesce(max(seq), 0) as seq from change");
      return Number(row?.seq);
    },
    lastChangedAt: (resource) => lastChanged(onPrimary, resource.name),
    oldestPosition: () => oldestChange(onPrimary),
    importChanges: (changes) =>
      write("changes", async (client, query) => {
        await takeOverChanges(client, query, changes);
        for (const name of new Set(changes.map(({ resource }) => resource))) await moveVersion(query, name);
        return { result: undefined, changed: true };
      }),
    pruneChanges: (forgotten, most) =>
      write("removals", async (_client, query) => {
        const { lines, removals } = await forgetChanges(query, forgotten, most);
        return { result: lines + removals, changed: removals > 0 };
      }),
    render: (settings) => render(settings),

    addKey: (key) => changeKeys((query) => addKey(query, key)),
    findKey: async (hash, state) => readOn(keyVersion.serverFor(targetOf(state)), (query) => findKey(query, hash)),
    listKeys: () => listKeys(onPrimary),
    updateKey: (name, terms, at) => changeKeys((query) => updateKey(query, name, terms, at)),
    rotateKey: (name, successor) => changeKeys((query) => rotateKey(query, name, successor)),
    revokeKey: (name, at) => changeKeys((query) => revokeKey(query, name, at)),
    ...usageOn(keeping),
    ...metadataOn(keeping),
    claimPeriodicJob: (name, everySeconds) => takeTurn(keeping, name, now(), everySeconds),
    health: async () => ({
      ready: targets.all.some((target) => target.isUp && targets.staleness(target)?.isTooOld !== true),
      checks: {
        primary: primary.position === undefined ? "away" : primary.position.isStandby ? "read-only" : "ok",
        ...Object.fromEntries(
          replicas.map((replica) => [
            replica.database.name,
            healthOf(targets.lag(replica), options.replicaStalenessSeconds),
          ]),
        ),
      },
    }),
    metrics: () => serverFamilies(targets),
    close: async () => {
      await Promise.all(targets.all.map((target) => target.close()));
    },
  };

  async function render(settings: RenderingSettings): Promise<number> {
    return write(catalog[0]?.name ?? "", async (client, query) => {
      const { settings: before } = await readState(query);
      const wanted = { zone: settings.zone ?? before.zone, cusip: settings.cusip ?? before.cusip, form };
      const same = wanted.zone === before.zone && wanted.cusip === before.cusip && wanted.form === before.form;
      if (same) return { result: 0, changed: false };
      for (const [name, value] of Object.entries(wanted)) await query(upsertSetting, name, value);
      const { rendering } = await readState(query);
      let rendered = 0;
      for (const resource of catalog) {
        for await (const batch of batches(query, resource)) {
          await rerender(client, query, resource, batch, rendering);
          rendered += batch.length;
        }
        await moveVersion(query, resource.name);
      }
      return { result: rendered, changed: true };
    });
  }
}

const healthOf = (lagMs: number, maxSeconds: number): string =>
  lagMs === Number.POSITIVE_INFINITY
    ? "away"
    : lagMs <= maxSeconds * 1000
      ? "ok"
      : `${Math.round(lagMs / 1000)} s behind`;

const moveVersion = (query: Query, name: string): Promise<PgRow[]> =>
  query(
    `insert into version (name, seq) values ($1, coalesce((select max(seq) from change), 1))
     on conflict (name) do update set seq = greatest(excluded.seq, version.seq + 1)`,
    name,
  );

async function explain(query: Query, { sql, parameters }: Compiled): Promise<Explanation> {
  const rows = await query(`explain ${sql}`, ...parameters);
  return { sql, parameters, steps: rows.map((row) => String(row["QUERY PLAN"])) };
}
