// Several processes on one SQLite file: readers continue during writes, writers queue, and one start creates the file.
import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Readable, Writable } from "node:stream";
import { after, describe, test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";
import { migrate, migrations } from "../../../src/store/migrate.ts";
import { runs } from "../../support/budget.ts";
import { type Api, startApi } from "../../support/clients/api.ts";

const starting = runs(5, 10);

const folder = mkdtempSync(join(tmpdir(), "bellwire-processes-"));
const started: Child[] = [];
after(() => {
  for (const child of started) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

const source = (path: string) => new URL(`../../../src/${path}`, import.meta.url);

function start(...words: string[]): Child {
  const child = spawn(process.execPath, words, { stdio: "pipe" });
  started.push(child);
  return child;
}

/** A separate process that runs JavaScript. */
const script = (code: string): Child => start("--input-type=module", "-e", code);

const command = (...words: string[]): Child => start(source("cli.js").pathname, ...words);

/** Resolves when the process has printed a line with this word, or exits. */
const prints = (child: Child, word: string): Promise<void> =>
  new Promise((resolve) => {
    child.stdout.on("data", (piece) => String(piece).includes(word) && resolve());
    child.on("exit", () => resolve());
  });

async function ended(child: Child): Promise<{ code: number | null; stdout: string; stderr: string }> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (piece) => {
    stdout += piece;
  });
  child.stderr.on("data", (piece) => {
    stderr += piece;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}

/** Starts a write, prints that, and then runs `until` before it commits. */
const writing = (file: string, sql: string, until: string): Child =>
  script(`
    import { DatabaseSync } from "node:sqlite";
    const db = new DatabaseSync(${JSON.stringify(file)}, { timeout: 30000 });
    db.exec("begin immediate");
    db.exec(${JSON.stringify(sql)});
    process.stdout.write("holding\\n");
    await new Promise((resolve) => ${until});
    db.exec("commit");
    db.close();
    process.exit(0);
  `);

const untilInput = 'process.stdin.once("data", resolve)';

async function withApi(work: (api: Api) => Promise<void>): Promise<void> {
  const api = await startApi();
  try {
    await work(api);
  } finally {
    await api.close();
  }
}

describe("processes on one database [sqlite]", () => {
  test("serve requests, exports, and explanations while another process is in the middle of writing", () =>
    withApi(async (api) => {
      for (const { name } of catalog) await api.has(name, [{ id: name === "news" ? 1 : "1", updated: 1 }]);
      const everything = catalog.map(({ name }) => `delete from ${name.replaceAll("-", "_")};`).join(" ");
      const child = writing(api.file, everything, untilInput);
      await prints(child, "holding");
      for (const { path } of catalog) {
        const key = path.endsWith("news") ? "" : "parameters[is_primary]=All";
        assert.equal((await api.ids(`${path}?${key}`)).length, 1, path);
      }
      const exported = await ended(command("export", "ratings", "--database", api.file));
      assert.equal(exported.code, 0, exported.stderr);
      assert.equal(exported.stdout.trim().split("\n").length, 1);
      const explained = await ended(command("explain", "/api/v2/news", "--database", api.file));
      assert.equal(explained.code, 0, explained.stderr);
      assert.equal(child.exitCode, null, "the other process was to be writing all the while");
      const end = ended(child);
      child.stdin.write("go\n");
      assert.deepEqual(await end, { code: 0, stdout: "", stderr: "" });
      for (const { path } of catalog) assert.deepEqual(await api.ids(path), [], path);
    }));

  test("wait for another process's write before writing", () =>
    withApi(async (api) => {
      const note = "insert into setting (name, value) values ('note:other', 'first')";
      // On input, it commits when the write below is most likely waiting: nothing can notify this process at that point.
      const child = writing(api.file, note, 'process.stdin.once("data", () => setTimeout(resolve, 300))');
      const end = ended(child);
      await prints(child, "holding");
      assert.equal(await api.store.getMetadata("other"), undefined);
      child.stdin.write("go\n");
      assert.deepEqual(await api.has("ratings", [{ id: "a" }]), ["created"]);
      assert.equal(await api.store.getMetadata("other"), "first");
      assert.deepEqual((await end).code, 0);
    }));

  test("see what another process imports in the next response", () =>
    withApi(async (api) => {
      await api.has("ratings", [{ id: "a", date: "2024-01-01" }]);
      const first = await api.fetch("/api/v2.1/calendar/ratings");
      const child = command("import", "ratings", "-", "--database", api.file);
      child.stdin.end('{"id":"b","date":"2024-01-02"}\n');
      const { code, stderr } = await ended(child);
      assert.equal(code, 0, stderr);
      const tag = { "if-none-match": first.headers.etag ?? "" };
      const next = await api.fetch("/api/v2.1/calendar/ratings", tag);
      assert.equal(next.status, 200);
      assert.deepEqual(
        next.json.ratings.map(({ id }: { id: string }) => id),
        ["b", "a"],
      );
    }));

  test(`create one database when ${starting} start at once on a new file, and each can write to it`, async () => {
    const files = Array.from({ length: 6 }, (_, index) => join(folder, `new-${index}.db`));
    const children = Array.from({ length: starting }, (_, index) =>
      script(`
        import { openSqlite } from ${JSON.stringify(source("open-sqlite.ts").href)};
        import { catalog } from ${JSON.stringify(source("resources/catalog.ts").href)};
        process.stdout.write("ready\\n");
        await new Promise((resolve) => process.stdin.once("data", resolve));
        for (const file of ${JSON.stringify(files)}) {
          const store = openSqlite({ file });
          const name = "key-${index}";
          await store.addKey({ name, hash: name, licenses: [], created: 1, expires: "" });
          await store.close();
        }
        process.exit(0);
      `),
    );
    const ends = children.map(ended);
    await Promise.all(children.map((child) => prints(child, "ready")));
    for (const child of children) child.stdin.write("go\n");
    for (const { code, stderr } of await Promise.all(ends)) assert.equal(code, 0, stderr);

    const schemaOf = (db: DatabaseSync) => db.prepare("select name, sql from sqlite_schema order by name").all();
    const alone = new DatabaseSync(":memory:");
    migrate(alone);
    for (const file of files) {
      const db = new DatabaseSync(file);
      assert.deepEqual(schemaOf(db), schemaOf(alone));
      assert.equal(db.prepare("pragma user_version").get()?.user_version, migrations.length);
      assert.equal(db.prepare("select count(distinct name) as n from api_key").get()?.n, starting);
      assert.equal(db.prepare("select count(*) as n from setting where name = 'database'").get()?.n, 1);
      db.close();
    }
    alone.close();
  });
});
