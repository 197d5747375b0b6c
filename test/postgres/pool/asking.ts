// A database for tests of how statements share connections.
import { after, before } from "node:test";
import { ConnectionPool } from "../../../src/store/postgres/pool/pool.ts";
import { cloneDatabase, execute, makePostgres } from "../../support/stores/postgres.ts";
import { templateDatabase } from "../../support/stores/templates.ts";
import { type Gates, withGates } from "./gates.ts";

/** The database of the file that runs; gates are known in all of it, so that each file has its own. */
export let url = "";

/** Makes the database for the tests of a file, and removes it after them. */
export function askedDatabase(): void {
  let drop = async () => {};
  before(async () => {
    ({ url, drop } = (await copyOnServer()) ?? (await ownServer()));
    await execute(
      url,
      `create sequence asked;
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

type Made = { readonly url: string; drop(): Promise<void> };

/** On the server that the run has started; undefined where it uses another, or none. */
async function copyOnServer(): Promise<Made | undefined> {
  const server = process.env.BELLWIRE_TEST_DATABASE;
  if (server === undefined) return undefined;
  return cloneDatabase(server, templateDatabase, `asked_${process.pid}_${Date.now().toString(36)}`);
}

async function ownServer(): Promise<Made> {
  const server = await makePostgres();
  await server.start();
  return { url: server.url, drop: server.remove };
}

type Setup = { readonly prepare?: boolean; readonly clock?: () => number };

/** No statement is slow by this clock, however long the machine takes over it. */
const standing = () => 0;

export async function using(
  poolSize: number,
  work: (database: ConnectionPool, gates: Gates) => Promise<void>,
  { prepare = true, clock = standing }: Setup = {},
): Promise<void> {
  const database = new ConnectionPool({ url, poolSize, queueSize: 100, statementSeconds: 600, prepare, clock });
  try {
    await withGates(url, (gates) => work(database, gates));
  } finally {
    await database.end();
  }
}
