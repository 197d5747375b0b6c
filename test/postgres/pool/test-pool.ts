// A database and connection pool for tests of pipelining.
import { after, before } from "node:test";
import { ConnectionPool } from "../../../src/store/postgres/pool/pool.ts";
import { cloneDatabase, execute, makePostgres } from "../../support/stores/postgres.ts";
import { templateDatabase } from "../../support/stores/templates.ts";
import { type Gates, withGates } from "./gates.ts";

/** The database of the current test file; gates are global to a database, so each file has its own. */
export let url = "";

/** Creates the database for the tests of a file, and then removes it. */
export function useTestDatabase(): void {
  let drop = async () => {};
  before(async () => {
    ({ url, drop } = (await copyOnServer()) ?? (await ownServer()));
    await execute(
      url,
      `create sequence sent;
      create sequence failed;
      create function full_at(number float8, which float8) returns text language plpgsql as
        $$ begin
          if number = which then raise exception using errcode = '53400', message = 'too large'; end if;
          return number;
        end $$`,
    );
  });
  after(() => drop());
}

type TestDatabase = { readonly url: string; drop(): Promise<void> };

/** On the run's server; undefined if it has none or no template. */
async function copyOnServer(): Promise<TestDatabase | undefined> {
  const server = process.env.BELLWIRE_TEST_DATABASE;
  if (server === undefined) return undefined;
  return cloneDatabase(server, templateDatabase, `pool_${process.pid}_${Date.now().toString(36)}`);
}

async function ownServer(): Promise<TestDatabase> {
  const server = await makePostgres();
  await server.start();
  return { url: server.url, drop: server.remove };
}

type Setup = { readonly prepare?: boolean; readonly clock?: () => number };

/** By this clock no statement is slow, even on a busy machine. */
const stoppedClock = () => 0;

export async function using(
  poolSize: number,
  work: (pool: ConnectionPool, gates: Gates) => Promise<void>,
  { prepare = true, clock = stoppedClock }: Setup = {},
): Promise<void> {
  const pool = new ConnectionPool({ url, poolSize, queueSize: 100, statementSeconds: 600, prepare, clock });
  try {
    await withGates(url, (gates) => work(pool, gates));
  } finally {
    await pool.end();
  }
}
