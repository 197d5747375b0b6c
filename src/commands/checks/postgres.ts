// A PostgreSQL database, looked at without writing to it: its server, its schema, its connections and its clock.
import type { Config } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { listOf } from "../../settings/setting.ts";
import { expectedTables } from "../../store/expected-schema.ts";
import { migrations } from "../../store/migrate.ts";
import { addressOf, Database, type Query } from "../../store/postgres/pool/pool.ts";
import { StoreError } from "../../store/store.ts";
import { type Finding, fault, fine, warning } from "./finding.ts";

/** The version that the tests run on. */
const testedVersion = 18;
const mostSecondsApart = 2;

export async function checkPostgres(config: Config): Promise<Finding[]> {
  const url = config.get("database");
  const findings = await using(url, (query) => checkPrimary(query, config));
  for (const replica of listOf(config.get("replicas"))) findings.push(...(await using(replica, checkReplica)));
  return findings;
}

async function using(url: string, look: (query: Query, name: string) => Promise<Finding[]>): Promise<Finding[]> {
  const database = new Database({ url, poolSize: 1, queueSize: 10, statementSeconds: 10, prepare: false });
  try {
    return await look((sql, ...values) => database.query(sql, ...values), database.name);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const advice = "start the server, or mend the address, the password or the rights of the user";
    return [fault("database", error.message, advice)];
  } finally {
    await database.end();
  }
}

async function checkPrimary(query: Query, config: Config): Promise<Finding[]> {
  const [server] = await query(`select current_setting('server_version') as version,
    current_setting('server_version_num')::int as number, pg_is_in_recovery() as standby,
    current_setting('max_connections')::int as connections, extract(epoch from clock_timestamp())::float8 as now,
    to_regclass('migration') is not null as made`);
  const name = `PostgreSQL ${server?.version} at ${addressOf(config.get("database"))}`;
  if (server?.standby === true)
    return [
      fault("database", `${name} is a standby`, "name the primary with --database, and this one with --replicas"),
    ];
  const apart = Math.abs(Number(server?.now) - Date.now() / 1000);
  const isOld = Number(server?.number) < testedVersion * 10_000;
  const older = `${name} is older than ${testedVersion}, which this Bellwire is tested with`;
  const findings = [
    ...(isOld ? [warning("server", older, "upgrade it, or try it with a copy of your data first")] : []),
    apart > mostSecondsApart
      ? warning("clock", `this machine and the database are ${Math.round(apart)} s apart`, "let NTP set both clocks")
      : fine("clock", "this machine and the database agree"),
    checkConnections(Number(server?.connections), config),
  ];
  if (server?.made !== true)
    return [warning("database", `${name}: empty`, "serve, import and keys create make its tables"), ...findings];
  return [...(await checkSchema(query, name)), ...findings];
}

async function checkSchema(query: Query, name: string): Promise<Finding[]> {
  const [row] = await query("select coalesce(max(number), 0) as last from migration");
  const version = Number(row?.last);
  const about = `${name}, schema ${version} of ${migrations.length}`;
  if (version > migrations.length)
    return [fault("database", `${about}: made by a newer Bellwire`, "upgrade this Bellwire")];
  if (version < migrations.length)
    return [warning("database", `${about}: it is upgraded at the next start`, "make a backup first")];
  const faults = await indexFaults(query);
  return [
    fine("database", about),
    faults.length === 0
      ? fine("indexes", "all are there and valid")
      : fault("indexes", faults.join("; "), "restore the newest good backup, or make them anew with: reindex database"),
  ];
}

async function indexFaults(query: Query): Promise<string[]> {
  const rows = await query(`select t.relname as table, i.indisvalid as valid, c.relname as name,
      (select array_agg(a.attname::text order by k.n) from unnest(i.indkey) with ordinality k (attnum, n)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
    where t.relnamespace = current_schema()::regnamespace`);
  const invalid = rows.filter(({ valid }) => valid !== true).map(({ name }) => `${name} is not valid`);
  const found = new Set(rows.map((row) => `${row.table} (${(row.columns as string[] | null)?.join(", ")})`));
  const missing = catalog
    .flatMap(expectedTables)
    .flatMap(({ name, indexes }) => indexes.map((columns) => `${name} (${columns.join(", ")})`))
    .filter((index) => !found.has(index));
  return [...invalid, ...missing.map((index) => `an index is missing on ${index}`)];
}

function checkConnections(most: number, config: Config): Finding {
  const [workers, size] = [Number(config.get("workers")), Number(config.get("pool-size"))];
  // Each process has a few beside its pool: to listen, and to look whether the server is up.
  const wanted = workers * (size + 2);
  const about = `the server has ${most}, and ${workers} × ${size} may be used`;
  return wanted > most
    ? warning("connections", about, "lower --pool-size or --workers, or raise max_connections")
    : fine("connections", about);
}

async function checkReplica(query: Query, name: string): Promise<Finding[]> {
  const [row] = await query("select pg_is_in_recovery() as standby");
  return [
    row?.standby === true
      ? fine("replica", name)
      : warning("replica", `${name} is no replica of the primary`, "take it out of --replicas"),
  ];
}
