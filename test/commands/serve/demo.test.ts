// The demo: loaded into an empty database, completed by the next start when the first one was killed, and printed with a
// key and a command to paste. One test, because loading takes seconds; only the long run loads the whole demo.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqlite } from "../../../src/open-sqlite.ts";
import { isLong } from "../../support/budget.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { bellwireWrites, freshDatabase, serving, start } from "../support/bellwire.ts";

const tables = ["news", "ratings", "dividends", "guidance", "earnings", "economics", "conference_calls"];

const env = isLong ? {} : { NODE_OPTIONS: `--import=${new URL("with-quarter-demo.ts", import.meta.url).href}` };

/** Number of records in each table; empty when there are no tables yet. */
function counts(database: string): number[] | undefined {
  if (!existsSync(database)) return undefined;
  let db: DatabaseSync | undefined;
  try {
    const reader = new DatabaseSync(database, { readOnly: true });
    db = reader;
    return tables.map((table) => Number(reader.prepare(`select count(*) as n from ${table}`).get()?.n));
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Kills a first start while it loads the demo, and gives its database. Where this test is held up for so long that all is
 * loaded by then, another is killed.
 */
async function killedWhileLoading(): Promise<string> {
  for (;;) {
    const database = freshDatabase();
    const port = await freePort();
    const killed = start(["serve", "--port", String(port), "--database", database], { env });
    const hasEnded = () => killed.child.exitCode !== null;
    await waitUntil(() => hasEnded() || (counts(database) ?? []).some((count) => count > 0), "records are loaded");
    const early = hasEnded() ? undefined : await fetch(`http://127.0.0.1:${port}/api/v2/news`);
    const { signal } = await killed.stop("SIGKILL");
    if (early === undefined || !counts(database)?.includes(0)) continue;
    // It listened but was not ready, so it responds with 503 and Retry-After.
    assert.deepEqual([signal, early.status], ["SIGKILL", 503]);
    assert.match(early.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assert.match(await early.text(), /"code":"server.unavailable"/);
    assert.doesNotMatch(killed.output.stdout, /bw_|listening/);
    return database;
  }
}

/** Backdates the heartbeat of the killed start, so that the next one need not wait for it to expire. */
async function backdateSilence(file: string): Promise<void> {
  const store = openSqlite({ file });
  await store.setMetadata("demo heard", String(Math.floor(Date.now() / 1000) - 60));
  await store.close();
}

test("a killed first start is completed by the next, which prints a key and a working command", async () => {
  const database = await killedWhileLoading();
  if (!isLong) await backdateSilence(database);
  const server = await serving(["--database", database], { env });
  const { stdout, stderr } = server.output;
  const output = Number(/^Loaded ([\d,]+) demo records/m.exec(stderr)?.[1]?.replaceAll(",", ""));
  const loaded = counts(database) ?? [];
  assert.equal(
    loaded.reduce((total, count) => total + count, 0),
    output,
    "every record once",
  );
  for (const [at, count] of loaded.entries()) assert.ok(count > 0, `${tables[at]} is empty`);

  const key = /bw_[0-9A-Za-z]{38}/.exec(stdout)?.[0] ?? "none was printed";
  const pasted = /curl '([^']+)'$/m.exec(stdout)?.[1] ?? "none was printed";
  assert.ok(pasted.startsWith(server.url) && pasted.includes(key), pasted);
  const found = await fetch(pasted);
  assert.equal(found.status, 200);
  assert.equal(((await found.json()) as unknown[]).length, 3);
  // The demo key may use everything, licensed parameters included.
  assert.equal((await fetch(`${server.url}/api/v2/news?token=${key}&cusips=307833103`)).status, 200);
  // The page gets a separate key until it is revoked.
  const forPage = async (url: string) => ((await (await fetch(`${url}/page.json`)).json()) as { key?: string }).key;
  const pageKey = (await forPage(server.url)) ?? "none was output";
  assert.equal((await fetch(`${server.url}/api/v2/news?token=${pageKey}`)).status, 200);
  assert.notEqual(pageKey, key);
  await bellwireWrites(["keys", "revoke", "page", "--database", database]);
  assert.equal(await forPage(server.url), undefined);
  assert.equal((await fetch(`${server.url}/api/v2/news?token=${pageKey}`)).status, 401);
  const stopped = await server.stop();
  assert.equal(stopped.status, 0);
  assert.ok(!stopped.stderr.includes(key) && !stopped.stderr.includes(pageKey), "the keys are in no log");
  assert.match(await bellwireWrites(["keys", "list", "--database", database]), /^demo +valid .*cusip$/m);

  const again = await serving(["--database", database], { env });
  assert.doesNotMatch(again.output.stdout + again.output.stderr, /bw_|Loaded|loading/);
  assert.match(again.output.stdout, /keys create/);
  assert.equal((await fetch(`${again.url}/api/v2/news?token=${key}`)).status, 200);
  assert.equal(await forPage(again.url), undefined, "another start does not make the page's key again");
  await again.stop();
  assert.deepEqual(counts(database), loaded);
});
