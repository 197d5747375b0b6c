// The store on PostgreSQL: any number of processes in front of one primary, reads spread over replicas.
import { formOf } from "../../core/form.ts";
import type { Plan } from "../../core/plan.ts";
import type { Resource } from "../../core/resource.ts";
import type { Row } from "../../core/row.ts";
import { expectedTables } from "../expected.ts";
import { pageOf, recordsOf } from "../page.ts";
import { recallStored, selectStored, tablesOf } from "../prepared.ts";
import { type Compiled, compilePage, compileRecords, type Dialect, type Hints, keyDirection, tableOf } from "../sql.ts";
import { type Change, type Explanation, type RenderingSettings, type State, type Store, StoreError } from "../store.ts";
import { BusyError, Database, type DatabaseOptions, type PgRow, type Query } from "./database.ts";
import { postgres } from "./dialect.ts";
import { gatherings } from "./gatherings.ts";
import { addKey, findKey, listKeys, revokeKey } from "./keys.ts";
import { locks, migrate } from "./migrate.ts";
import { channel, readState } from "./state.ts";
import { Target } from "./target.ts";
import { Targets } from "./targets.ts";
import { removeRows, rerender, takeOverChanges, writeRows } from "./write.ts";

export type PostgresOptions = Omit<DatabaseOptions, "url"> & {
  readonly url: string;
  readonly replicas: readonly string[];
  /** Oldest that an answer of a replica may be. */
  readonly maxStalenessSeconds: number;
  readonly catalog: readonly Resource[];
  /** Unix seconds; a test may pass its own clock. */
  readonly now?: () => number;
};

/** A link that names more records than this is common: walking the order finds a page sooner than sorting them. */
const rareLink = 4000;

/** Opens the store, with no word to any server yet: they may be away. */
export function openPostgres(options: PostgresOptions): Store {
  const { catalog, now = () => Math.floor(Date.now() / 1000) } = options;
  const primary = new Target(new Database(options), { listen: true });
  const replicas = options.replicas.map((url) => new Target(new Database({ ...options, url }), { listen: false }));
  const targets = new Targets(primary, replicas, options.maxStalenessSeconds * 1000);
  const form = formOf(catalog);
  for (const target of targets.all) {
    target.watch(() => {
      if (targets.all.some(({ isUp }) => isUp)) target.database.abandon();
    });
  }
  /** Which server a state came from, so that the records of an answer are never older than its tag. */
  const origins = new WeakMap<State, Target>();
  const gatheringFor = gatherings();

  const from = (target: Target, state: State): State => {
    origins.set(state, target);
    return state;
  };

  const targetOf = (state: State | undefined): Target => (state && origins.get(state)) ?? targets.choose();

  /** A read on one server; when the server is lost, that is remembered, and the caller may try again. */
  const readOn = async <T>(target: Target, work: (query: Query) => Promise<T>): Promise<T> => {
    try {
      return await work((sql, ...values) => target.database.query(sql, ...values));
    } catch (error) {
      if (error instanceof StoreError && !(error instanceof BusyError)) target.lost();
      throw error;
    }
  };

  const howTo = async (query: Query, plan: Plan): Promise<[Dialect, Hints]> => {
    const gathering = await gatheringFor(query, plan);
    const hints = { beginWithLink: await isRareLink(query, plan), gatherMatches: gathering.anywhere };
    return [postgres(gathering), hints];
  };

  const isRareLink = async (query: Query, plan: Plan): Promise<boolean> => {
    const link = plan.where.find((condition) => condition.op === "linked");
    if (link === undefined || keyDirection(plan) !== undefined) return true;
    const sql = `select count(*) as n from (select 1 from ${tableOf(plan.resource)}_link where kind = $1 and value = any($2) limit ${rareLink}) q`;
    const [row] = await query(sql, link.kind, link.values);
    return Number(row?.n) < rareLink;
  };

  /** One writer at a time: numbers of the change log then commit in their order, and no reader can skip one. */
  const write = async <T>(
    name: string,
    work: (client: Parameters<typeof writeRows>[0], query: Query) => Promise<{ result: T; changed: boolean }>,
  ): Promise<T> => {
    const result = await primary.database.transaction(async (client, query) => {
      await query("select pg_advisory_xact_lock($1)", locks.write);
      const done = await work(client, query);
      if (done.changed) {
        await moveVersion(query, name);
        await query("select pg_notify($1, '')", channel);
      }
      return done.result;
    });
    // It is committed, whatever becomes of the server now.
    await primary.refresh().catch(() => {});
    return result;
  };

  const page: Store["page"] = (plan, state) =>
    readOn(targetOf(state), async (query) => {
      const { sql, parameters } = compilePage(plan, ...(await howTo(query, plan)));
      const [row] = await query(sql, ...parameters);
      return pageOf(plan, row);
    });

  return {
    prepare: async () => {
      await migrate(primary.database, form);
      // So that the first request finds every server that is up.
      await Promise.all(targets.all.map((target) => target.look()));
    },
    state: () => {
      const target = targets.choose();
      if (target.known !== undefined) return from(target, target.known);
      return target.refresh().then((state) => from(target, state));
    },
    page,
    records: (plan, state) =>
      readOn(targetOf(state), async (query) => {
        const { sql, parameters } = compileRecords(plan, ...(await howTo(query, plan)));
        return recordsOf(plan, await query(sql, ...parameters));
      }),
    explain: (plan) =>
      readOn(targets.choose(), async (query) => explain(query, compilePage(plan, ...(await howTo(query, plan))))),

    put: (resource, rows, { log = true } = {}) =>
      write(resource.name, async (client, query) => {
        const { rendering } = await readState(query);
        const result = await writeRows(client, query, resource, rows, rendering, log ? now() : undefined);
        return { result, changed: result.some((outcome) => outcome !== "unchanged") };
      }),
    remove: (resource, ids) =>
      write(resource.name, async (client, query) => {
        const result = await removeRows(client, query, resource, ids, now());
        return { result, changed: result > 0 };
      }),
    all: (resource, after) => allRows(primary.database, resource, after),
    // Statistics are gathered anew, which the database would do by itself some time later.
    settle: async (resource) => {
      for (const { name } of expectedTables(resource)) await primary.database.query(`analyze ${name}`);
    },
    count: async (resource) => {
      const [row] = await primary.database.query(`select count(*) as n from ${tableOf(resource)}`);
      return Number(row?.n);
    },
    isEmpty: async () => {
      const tests = catalog.map((resource) => `exists (select 1 from ${tableOf(resource)})`);
      const [row] = await primary.database.query(`select not (${tests.join(" or ")}) as empty`);
      return row?.empty === true;
    },
    changes: async (after, limit) => {
      const rows = await primary.database.query(
        "select * from change where seq > $1 order by seq limit $2",
        after,
        limit,
      );
      return rows.map((row) => ({ ...row, seq: Number(row.seq), at: Number(row.at) }) as Change);
    },
    lastChange: async () => {
      const [row] = await primary.database.query("select coalesce(max(seq), 0) as seq from change");
      return Number(row?.seq);
    },
    addChanges: (changes) =>
      write("changes", async (client, query) => {
        await takeOverChanges(client, query, changes);
        for (const name of new Set(changes.map(({ resource }) => resource))) await moveVersion(query, name);
        return { result: undefined, changed: true };
      }),
    render: (settings) => render(settings),

    addKey: (key) => write("keys", async (_client, query) => ({ result: await addKey(query, key), changed: true })),
    findKey: (hash, state) => readOn(targetOf(state), (query) => findKey(query, hash)),
    listKeys: () => listKeys((sql, ...values) => primary.database.query(sql, ...values)),
    revokeKey: (name, at) =>
      write("keys", async (_client, query) => {
        const result = await revokeKey(query, name, at);
        return { result, changed: result };
      }),
    note: async (name) => {
      const [row] = await primary.database.query("select value from setting where name = $1", `note:${name}`);
      return row?.value as string | undefined;
    },
    claimNote: async (name, value) => {
      const sql = "insert into setting (name, value) values ($1, $2) on conflict do nothing returning name";
      return (await primary.database.query(sql, `note:${name}`, value)).length > 0;
    },
    setNote: async (name, value) => {
      await primary.database.query(upsertSetting, `note:${name}`, value);
    },
    health: async () => ({
      ready: targets.all.some(({ isUp }) => isUp),
      checks: {
        primary: primary.position === undefined ? "away" : primary.position.isStandby ? "read-only" : "ok",
        ...Object.fromEntries(
          replicas.map((replica) => [
            replica.database.name,
            healthOf(targets.staleness(replica), options.maxStalenessSeconds),
          ]),
        ),
      },
    }),
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

const upsertSetting =
  "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value";

const healthOf = (stalenessMs: number, maxSeconds: number): string =>
  stalenessMs === Number.POSITIVE_INFINITY
    ? "away"
    : stalenessMs <= maxSeconds * 1000
      ? "ok"
      : `${Math.round(stalenessMs / 1000)} s behind`;

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

/** Rows in the order of their ids, a batch at a time: rows may be rewritten meanwhile, since their ids stay. */
async function* batches(query: Query, resource: Resource, from?: string | number): AsyncGenerator<Row[]> {
  const tables = tablesOf(resource);
  for (let last: unknown = from; ; ) {
    const after = last === undefined ? "" : "where r.id > $1";
    const rows = await query(
      `${selectStored(tables)} ${after} order by r.id limit 1000`,
      ...(last === undefined ? [] : [last]),
    );
    if (rows.length === 0) return;
    yield rows.map((row) => recallStored(tables, row));
    last = rows.at(-1)?.id;
  }
}

/** From one snapshot, so that an export is consistent while others write. */
async function* allRows(database: Database, resource: Resource, after?: string | number): AsyncGenerator<Row> {
  const session = await database.session({});
  try {
    await session.query("begin transaction isolation level repeatable read, read only");
    for await (const batch of batches(session.query, resource, after)) yield* batch;
  } finally {
    await session.end();
  }
}
