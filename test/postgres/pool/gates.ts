// Gates at which statements wait until the test opens them: what is slow is so for exactly as long as the test wants.
import pg from "pg";
import { waitUntil } from "../../support/wait-until.ts";

export type Gates = {
  close(...numbers: number[]): Promise<void>;
  open(...numbers: number[]): Promise<void>;
  /** Resolves when so many statements wait at gates; gives the processes of the server that carry them out. */
  waiting(count: number): Promise<number[]>;
  /** The process of the server that holds the gates; all are open once it has ended. */
  readonly holder: number;
};

/** Text of no length, once the gate of this number is open; gates that were never closed are. */
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
