// Two alternatives from npm, each set up as its users would: PostGraphile on the plain tables, and json-server with as
// many ratings as it can handle. They are installed in bench/rivals on first use.
import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { type BenchData, makeOnce } from "../records/database.ts";
import { type PostgresData, plainSchema } from "../records/postgres.ts";
import { ratingsRecords } from "../records/ratings.ts";
import { type Contender, startProcess } from "./contender.ts";

const folder = join(import.meta.dirname, "..", "rivals");

/** json-server sorts all records for every request: with these, a request takes a few tenths of a second. */
export const jsonServerRecords = 20_000;

function install(say: (line: string) => void): void {
  if (existsSync(join(folder, "node_modules", ".package-lock.json"))) return;
  say("installing PostGraphile and json-server into bench/rivals, once");
  const { status, stderr, error } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm ci failed in bench/rivals: ${error?.message ?? stderr.slice(-500)}`);
}

export async function startPostGraphile(
  { url, plainUrl, pid }: PostgresData,
  say: (line: string) => void,
): Promise<Contender> {
  install(say);
  await addFunction(plainUrl);
  const program = join(folder, "node_modules", "postgraphile", "dist", "cli-run.js");
  return startProcess("PostGraphile", {
    args: [program, "-P", "postgraphile/presets/amber", "-c", url, "-s", plainSchema, "-n", "127.0.0.1", "-p", "0"],
    cwd: folder,
    env: { GRAPHILE_ENV: "production" },
    listening: /listening on port \d+ at (http:\S+)\/graphql/,
    helpers: [pid],
  });
}

/** Its conditions are equalities; ranges need a function in the database. */
async function addFunction(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create or replace function ratings_between(first_day text, last_day text, at_least integer)
      returns setof ratings language sql stable as $$
        select * from ratings where date between first_day and last_day and importance >= at_least
        order by date desc, time desc, id desc
      $$`);
  } finally {
    await client.end();
  }
}

export async function startJsonServer(data: BenchData, say: (line: string) => void): Promise<Contender> {
  install(say);
  const file = join(data.folder, `json-server-${jsonServerRecords}.json`);
  if (!existsSync(file)) {
    const ratings = Array.from(ratingsRecords(jsonServerRecords), ({ ratings_accuracy: _, ...rest }) => rest);
    await makeOnce(file, (making) => writeFileSync(making, JSON.stringify({ ratings })));
  }
  say(`json-server has ${jsonServerRecords} ratings: with more, a request takes seconds`);
  const port = await freePort();
  const program = join(folder, "node_modules", "json-server", "lib", "cli", "bin.js");
  return startProcess("json-server", {
    args: [program, "--host", "127.0.0.1", "--port", String(port), "--read-only", "--no-gzip", "--quiet", file],
    cwd: data.folder,
    url: `http://127.0.0.1:${port}`,
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}
