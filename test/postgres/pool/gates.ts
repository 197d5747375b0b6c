// Gates that block statements until a test opens them, for deterministic slowness.
import pg from "pg";
import { waitUntil } from "../../support/wait-until.ts";

export type Gates = {
  close(...numbers: number[]): Promise<void>;
  open(...numbers: number[]): Promise<void>;
  /** Resolves with the backend PIDs once so many statements wait at gates. */
  waiting(count: number): Promise<number[]>;
  /** PID of the backend that holds the gates; terminating it opens all. */
  readonly holder: number;
};

/** SQL for an empty text, returned once the gate is open; gates are open until closed. */
export const passing = (number: string): string => `pg_advisory_xact_lock_shared((${number})::int)::text`;

export async function withGates<T>(url: string, run: (gates: Gates) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  const each = async (work: string, numbers: readonly number[]) => {
    for (const number of numbers) await client.query(`select ${work}($1)`, [number]);
  };
  const waiters = async (): Promise<number[]> => {
    const sql =
      "select pid from pg_locks where locktype = 'advisory' and not granted and database = (select oid from pg_database where datname = current_database()) order by pid";
    return (await client.query(sql)).rows.map(({ pid }) => Number(pid));
  };
  try {
    const { rows } = await client.query("select pg_backend_pid() as pid");
    return await run({
      holder: Number(rows[0].pid),
      close: (...numbers) => each("pg_advisory_lock", numbers),
      open: (...numbers) => each("pg_advisory_unlock", numbers),
      waiting: async (count) => {
        let found: number[] = [];
        await waitUntil(async () => {
          found = await waiters();
          return found.length >= count;
        }, `${count} statements wait at gates`);
        return found;
      },
    });
  } finally {
    await client.end();
  }
}
