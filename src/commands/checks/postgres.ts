// Checks a PostgreSQL database without writing to it: server, schema, connections, and clock.
import type { Config } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { parseList } from "../../settings/setting.ts";
import { expectedTables } from "../../store/expected-schema.ts";
import { migrations } from "../../store/migrate.ts";
import { ConnectionPool, type Query, redactedUrl } from "../../store/postgres/pool/pool.ts";
import { StoreError } from "../../store/store.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";

/** The version that the tests run against. */
const testedVersion = 18;
const maxClockSkew = 2;

export async function checkPostgres(config: Config): Promise<Finding[]> {
  const url = config.get("database");
  const statementSeconds = Number(config.provided("statement-seconds") ?? 10);
  const findings = await withDatabase(url, statementSeconds, (query) => checkPrimary(query, config));
  for (const replica of parseList(config.get("replicas")))
    findings.push(...(await withDatabase(replica, statementSeconds, checkReplica)));
  return findings;
}

async function withDatabase(
  url: string,
  statementSeconds: number,
  look: (query: Query, name: string) => Promise<Finding[]>,
): Promise<Finding[]> {
  const database = new ConnectionPool({ url, poolSize: 1, queueSize: 10, statementSeconds, prepare: false });
  try {
    return await look((sql, ...values) => database.query(sql, ...values), database.name);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const advice = "start the server, or fix the address, the password, or the user's privileges";
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
  const name = `PostgreSQL ${server?.version} at ${redactedUrl(config.get("database"))}`;
  if (server?.standby === true)
    return [fault("database", `${name} is a standby`, "set --database to the primary, and add this one to --replicas")];
  const skew = Math.abs(Number(server?.now) - Date.now() / 1000);
  const isOld = Number(server?.number) < testedVersion * 10_000;
  const older = `${name} is older than ${testedVersion}, the version Bellwire is tested with`;
  const findings = [
    ...(isOld ? [warning("server", older, "upgrade it, or test with a copy of your data first")] : []),
    skew > maxClockSkew
      ? warning(
          "clock",
          `the clocks of this machine and the database differ by ${Math.round(skew)} s`,
          "synchronize both with NTP",
        )
      : ok("clock", "the clocks of this machine and the database agree"),
    checkConnections(Number(server?.connections), config),
  ];
  if (server?.made !== true)
    return [
      warning("database", `${name}: empty`, "serve, import, and keys create will create its tables"),
      ...findings,
    ];
  return [...(await checkSchema(query, name)), ...findings];
}

async function checkSchema(query: Query, name: string): Promise<Finding[]> {
  const [row] = await query("select coalesce(max(number), 0) as last from migration");
  const version = Number(row?.last);
  const about = `${name}, schema ${version} of ${migrations.length}`;
  if (version > migrations.length)
    return [fault("database", `${about}: created by a newer Bellwire`, "upgrade this Bellwire")];
  if (version < migrations.length)
    return [warning("database", `${about}: it will be upgraded at the next start`, "make a backup first")];
  const faults = await indexFaults(query);
  return [
    ok("database", about),
    faults.length === 0
      ? ok("indexes", "all exist and are valid")
      : fault("indexes", faults.join("; "), "restore the latest intact backup, or rebuild them with: reindex database"),
  ];
}

async function indexFaults(query: Query): Promise<string[]> {
  const rows = await query(`select t.relname as table, i.indisvalid as valid, c.relname as name,
      (select array_agg(a.attname::text order by k.n) from unnest(i.indkey) with ordinality k (attnum, n)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class c on c.oid = i.indexrelid
    where t.relnamespace = current_schema()::regnamespace`);
  const invalid = rows.filter(({ valid }) => valid !== true).map(({ name }) => `${name} is invalid`);
  const found = new Set(rows.map((row) => `${row.table} (${(row.columns as string[] | null)?.join(", ")})`));
  const missing = catalog
    .flatMap(expectedTables)
    .flatMap(({ name, indexes }) => indexes.map((columns) => `${name} (${columns.join(", ")})`))
    .filter((index) => !found.has(index));
  return [...invalid, ...missing.map((index) => `an index is missing on ${index}`)];
}

function checkConnections(most: number, config: Config): Finding {
  const [workers, size] = [Number(config.get("workers")), Number(config.get("pool-size"))];
  // Each process has two more besides its pool: for notifications and for health checks.
  const wanted = workers * (size + 2);
  const about = `the server allows ${most}; ${workers} × ${size} may be used`;
  return wanted > most
    ? warning("connections", about, "lower --pool-size or --workers, or raise max_connections")
    : ok("connections", about);
}

async function checkReplica(query: Query, name: string): Promise<Finding[]> {
  const [row] = await query("select pg_is_in_recovery() as standby");
  return [
    row?.standby === true
      ? ok("replica", name)
      : warning("replica", `${name} is not a replica of the primary`, "remove it from --replicas"),
  ];
}
