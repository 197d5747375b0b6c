// The benchmark data in a dedicated PostgreSQL, as Bellwire's and as plain tables; created once in bench/.data.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { catalog } from "../../src/resources/catalog.ts";
import { openPostgres } from "../../src/store/postgres/postgres.ts";
import { makePostgres, makeSchema, type PostgresServer } from "../../test/support/stores/postgres.ts";
import { plainPostgres } from "../contenders/handler/fill-postgres.ts";
import { type BenchData, fill, makeOnce } from "./database.ts";

export type PostgresData = {
  /** URL of Bellwire's tables, and of the plain ones. */
  readonly url: string;
  readonly plainUrl: string;
  /** The process whose children execute queries. */
  readonly pid: number;
  remove(): Promise<void>;
};

/** The schema of the plain tables. */
export const plainSchema = "plain";

const settings = ["shared_buffers=512MB", "work_mem=32MB", "max_wal_size=1GB"];

export async function postgresData(data: BenchData, say: (line: string) => void): Promise<PostgresData> {
  const cached = join(data.folder, "postgres");
  const server = await makePostgres(undefined, settings);
  const files = join(server.folder, "data");
  // An interrupted benchmark must not leave a server behind.
  const abandon = () => {
    const pid = pidIn(files);
    if (pid !== undefined) process.kill(pid, "SIGQUIT");
    // The server removes this file last; files in use can't be removed.
    for (let tries = 0; pidIn(files) !== undefined && tries < 50; tries++) Atomics.wait(idle, 0, 0, 100);
    rmSync(server.folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once("exit", abandon);
  const remove = async () => {
    await server.remove();
    process.removeListener("exit", abandon);
  };
  try {
    if (!existsSync(cached)) {
      await server.start();
      await fillServer(server, data, say);
      await server.stop();
      await makeOnce(cached, (making) => copyFolder(files, making));
    } else {
      rmSync(files, { recursive: true });
      await copyFolder(cached, files);
    }
    await server.start();
  } catch (error) {
    await remove();
    throw error;
  }
  const pid = pidIn(files);
  if (pid === undefined) throw new Error("PostgreSQL runs, but does not say as which process");
  return { url: server.url, plainUrl: plainUrlOf(server.url), pid, remove };
}

const idle = new Int32Array(new SharedArrayBuffer(4));

/** The PID of the server on these files. */
function pidIn(files: string): number | undefined {
  try {
    return Number(readFileSync(join(files, "postmaster.pid"), "utf8").split("\n", 1)[0]);
  } catch {
    return undefined;
  }
}

/** Preserves owners and permissions: PostgreSQL may run as another user. */
async function copyFolder(from: string, to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  await promisify(execFile)("cp", ["-a", from, to]);
}

async function fillServer({ url }: PostgresServer, data: BenchData, say: (line: string) => void): Promise<void> {
  const store = openPostgres({
    url,
    replicas: [],
    replicaStalenessSeconds: 1,
    maxStalenessSeconds: 0,
    poolSize: 4,
    queueSize: 100,
    statementSeconds: 600,
    prepare: true,
    catalog,
  });
  try {
    await store.prepare();
    await fill(store, data.sizes, data.token, (line) => say(`PostgreSQL: ${line}`));
  } finally {
    await store.close();
  }
  await makeSchema(url, plainSchema);
  await plainPostgres(plainUrlOf(url), data, say);
}

function plainUrlOf(url: string): string {
  const own = new URL(url);
  own.searchParams.set("options", `-c search_path=${plainSchema}`);
  return own.href.replaceAll("+", "%20");
}
