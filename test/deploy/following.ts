// Follows deployment instructions as a person would: in an empty directory, with nothing of this process but its
// Node.js, and then uses the server that results.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { after } from "node:test";

const checkout = resolve(import.meta.dirname, "../..");
const servers = new Set<number>();
export const scratch = mkdtempSync(join(tmpdir(), "bellwire-deploy-"));

after(() => {
  for (const pid of servers) process.kill(-pid, "SIGKILL");
  rmSync(scratch, { recursive: true, force: true });
});

export function emptyDirectory(name: string): string {
  const directory = join(scratch, name);
  mkdirSync(directory, { recursive: true });
  return directory;
}

/** Everything a clone of the working tree would contain. */
export const sourceFiles = (): string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate", "-z"], {
    cwd: checkout,
    encoding: "utf8",
  })
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(checkout, file)));

export function copySource(directory: string, files = sourceFiles()): void {
  for (const file of files) cpSync(join(checkout, file), join(directory, file));
}

/**
 * For steps after `npm ci`, which the checkout has been through already: production packages are copied, since packing
 * doesn't follow links; the tools of the build are linked.
 */
export function reuseModules(directory: string): void {
  const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8"));
  for (const path of [...Object.keys(packages), "node_modules/.bin"]) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(checkout, path))) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    if (path.endsWith("/.bin") || packages[path].dev) symlinkSync(join(checkout, path), join(directory, path));
    else cpSync(join(checkout, path), join(directory, path), { recursive: true });
  }
}

/** Programs that stand in for those a test can't run. */
export function standIns(directory: string, programs: Readonly<Record<string, string>>): string {
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(directory, name), 0o755);
  }
  return directory;
}

/** The environment of a fresh shell in which `node` is this process's Node.js, or another, and npm prefers its cache. */
export function freshShell(...first: readonly string[]): Record<string, string> {
  const leaks =
    /^(BELLWIRE_|INIT_CWD$|npm_(?!config_(userconfig|globalconfig|cache|registry)$)|NODE(_(COMPILE_CACHE|ENV|OPTIONS|TEST_CONTEXT))?$)/;
  const inherited = Object.entries(process.env).filter(([name]) => !leaks.test(name));
  const path = (process.env.PATH ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PATH: [...first, dirname(process.execPath), ...path].join(delimiter),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
  };
}

export type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> };
export type Outcome = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

/** Runs shell commands to their end, whatever it is. */
export function attempt(script: string, { cwd, env }: Place): Promise<Outcome> {
  const child = spawn("sh", ["-ec", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  return new Promise((done, fail) => {
    child.on("error", fail).on("close", (status) => done({ status, ...output }));
  });
}

/** Runs shell commands that must succeed, and returns what they print. */
export async function follow(script: string, place: Place): Promise<string> {
  const { status, stdout, stderr } = await attempt(script, place);
  assert.equal(status, 0, `${script}\nended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

/** Starts a server, in its own process group, and returns its address once it listens. */
export function serve(script: string, { cwd, env }: Place): Promise<{ origin: string; stop(): Promise<void> }> {
  const child = spawn("sh", ["-ec", script], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  const pid = Number(child.pid);
  servers.add(pid);
  const ended = new Promise<void>((done) => child.on("close", () => done()));
  let printed = "";
  return new Promise((started, fail) => {
    const read = (text: string): void => {
      printed += text;
      const origin = /^listening on (http:\S+)$/m.exec(printed)?.[1];
      const stop = async () => {
        servers.delete(pid);
        process.kill(-pid, "SIGTERM");
        await ended;
      };
      if (origin !== undefined) started({ origin, stop });
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    void ended.then(() => {
      servers.delete(pid);
      fail(new Error(`${script}\nended:\n${printed}`));
    });
  });
}

/** Asserts that a server has its page with all its scripts and styles, its reference, and a list with one record. */
async function expectService(origin: string, key: string, id: string): Promise<void> {
  const get = async (path: string, type: RegExp): Promise<string> => {
    const response = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get("content-type") ?? "", type, path);
    return response.text();
  };
  const page = await get("/", /^text\/html/);
  assert.match(page, /<title>Bellwire<\/title>/);
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => String(path));
  assert.ok(assets.length >= 2, page);
  for (const path of assets) await get(path, /^text\/(javascript|css)/);
  assert.match(await get("/docs", /^text\/html/), /\/docs\/scalar\.js/);
  assert.ok((await get("/docs/scalar.js", /^text\/javascript/)).length > 1e6);
  const { earnings } = JSON.parse(await get("/api/v2.1/calendar/earnings", /^application\/json/));
  assert.deepEqual(
    earnings.map((each: { id: string }) => each.id),
    [id],
  );
}

/** Creates a key with the documented command, imports a record the same way, and uses the server. */
export async function expectDeployed(createKey: string, start: string, place: Place): Promise<void> {
  const records = join(scratch, "earnings.json");
  writeFileSync(records, JSON.stringify([{ id: "first", date: "2026-11-17", ticker: "AAPL" }]));
  const key = (await follow(createKey, place)).trim().split("\n").at(-1) ?? "";
  await follow(createKey.replace("keys create --name acme", `import earnings '${records}'`), place);
  const server = await serve(start, place);
  await expectService(server.origin, key, "first");
  await server.stop();
}
