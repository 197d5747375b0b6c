// Statements of one kind that are asked of a PostgreSQL of their own, alone or together, for tests of how that is decided.
import { after, before } from "node:test";
import { Database } from "../../src/store/postgres/database.ts";
import { makePostgres, type PostgresServer } from "../support/postgres.ts";
import { type Gates, passing, withGates } from "./gates.ts";
import { withClient } from "./waiting.ts";

export let server: PostgresServer;

before(async () => {
  server = await makePostgres();
  await server.start();
  await withClient(server.url, (client) =>
    client.query(`
      create sequence asked;
      create sequence failed;
      create function full_at(number float8, which float8) returns text language plpgsql as
        $$ begin
          if number = which then raise exception using errcode = '53400', message = 'too large'; end if;
          return number;
        end $$`),
  );
});

after(async () => server?.remove());

type Setup = { readonly prepare?: boolean; readonly ticks?: () => number; readonly url?: string };

/** No statement is slow by this clock, however long the machine takes over it. */
export const standing = () => 0;
export const realTime = () => performance.now();

export async function using(
  poolSize: number,
  work: (database: Database, gates: Gates) => Promise<void>,
  { prepare = true, ticks = standing, url = server.url }: Setup = {},
): Promise<void> {
  const database = new Database({ url, poolSize, queueSize: 100, statementSeconds: 600, prepare, ticks });
  try {
    await withGates(server.url, (gates) => work(database, gates));
  } finally {
    await database.end();
  }
}

/** Statements that began at the same moment on the same connection are one. */
const statement = "pg_backend_pid() || ' ' || statement_timestamp() as statement";

/** Asks for a value that the server makes of each number. */
export const asker = (database: Database, value: (number: string) => string) => {
  const together = `select b.n as n, ${value("b.v")} as value, ${statement}, true as together from unnest($1::float8[]) with ordinality b (v, n)`;
  const sql = `select ${value("$1::float8")} as value, ${statement}, false as together`;
  return async (number: number) => {
    const [row] = await database.queryQuickly({ sql, parameters: [number], together });
    return row ?? {};
  };
};

export const valuesOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ value }) => value);
export const doubled = (number: string) => `(2 * ${number})::int`;
export const passed = (number: string) => `${passing(number)} || ${number}`;
export const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
