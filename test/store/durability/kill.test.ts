// A killed import leaves only complete records and consistent side tables, and importing again completes it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { runs } from "../../support/budget.ts";
import {
  type Api,
  type Body,
  type RecordInput,
  recordsOf,
  resourceNamed,
  startApi,
} from "../../support/clients/api.ts";
import { endAfterFile } from "../../support/processes.ts";
import { waitUntil } from "../../support/wait-until.ts";

const cli = join(import.meta.dirname, "../../../src/cli.js");
const folder = mkdtempSync(join(tmpdir(), "bellwire-kill-"));
after(() => rmSync(folder, { recursive: true }));

type Sample = {
  readonly resource: string;
  readonly records: readonly RecordInput[];
  /** A page of the endpoint with every field of a record. */
  readonly pages: string;
  readonly pageSize: number;
  /** The expected record in a response. */
  readonly shown: (record: RecordInput) => unknown;
};

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const ratings: Sample = {
  resource: "ratings",
  pages: "/api/v2.1/calendar/ratings?pagesize=1000",
  pageSize: 1000,
  shown: (record) => record,
  records: numbers(runs(5000, 20_000)).map((n) => ({
    ...{ action_company: "Upgrades", action_pt: "Raises", adjusted_pt_current: `${n}.00`, adjusted_pt_prior: "1.50" },
    ...{ analyst: `Firm ${n % 50}`, analyst_id: `a${n % 300}`, analyst_name: `Ann ${n % 300}`, currency: "USD" },
    ...{ cusip: 100_000_000 + n, date: `2024-${String((n % 12) + 1).padStart(2, "0")}-05`, exchange: "NYSE" },
    ...{
      firm_id: `f${n % 50}`,
      id: `r${String(n).padStart(6, "0")}`,
      importance: n % 6,
      isin: `US${n}`,
      name: "A Co.",
    },
    ...{ notes: "x".repeat(n % 200), pt_current: `${n}.00`, pt_prior: "1.50", rating_current: "Buy", rating_prior: "" },
    ...{ ticker: `T${n % 500}`, time: "09:30:00", updated: 1_700_000_000 + n, url: "", url_calendar: "", url_news: "" },
  })),
};

/** November: New York is five hours behind UTC throughout. */
const printed = (seconds: number) => new Date((seconds - 5 * 3600) * 1000).toUTCString().replace("GMT", "-0500");

const news: Sample = {
  resource: "news",
  pages: "/api/v2/news?pageSize=100&displayOutput=full",
  pageSize: 100,
  shown: ({ content_type: _, importance: __, regions: ___, ...record }) => ({
    ...record,
    channels: (record.channels as RecordInput[]).map(({ name }) => ({ name })),
    stocks: (record.stocks as RecordInput[]).map(({ primary: _, ...stock }) => stock),
  }),
  records: numbers(runs(2200, 8000)).map((n) => ({
    author: `Author ${n % 40}`,
    body: n % 3 === 0 ? "" : `<p>Body word${n} ${"of many words ".repeat(n % 120)}</p>`,
    channels: [{ id: (n % 30) + 1, name: `Channel ${n % 30}` }, { name: "News" }],
    content_type: "story",
    created: printed(1_730_800_000 + 60 * n),
    id: 40_000_000 + n,
    image: [],
    importance: "high",
    regions: ["USA", "Europe"],
    stocks: numbers(n % 4).map((m) => ({
      cusip: `C${n % 700}${m}`,
      isin: `I${m}`,
      name: `T${n % 700}.${m}`,
      primary: m === 0,
    })),
    tags: n % 5 === 0 ? [{ name: `tag${n}` }] : [],
    teaser: n % 3 === 1 ? `Teaser ${n}` : "",
    title: `Title word${n}`,
    updated: printed(1_730_800_000 + 60 * n + (n % 7)),
    url: `https://example.com/${n}`,
  })),
};

for (const sample of [ratings, news]) {
  const { resource, records } = sample;
  const file = join(folder, `${resource}.ndjson`);
  const database = join(folder, `${resource}.db`);

  describe(`a killed import of ${resource}`, () => {
    before(() => writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join("")));

    test("leaves only complete records, wherever it is killed", async (t) => {
      // First while the database is being created, then with more and more of the file in it.
      const kills = runs(2, 6);
      for (const share of [0, ...numbers(kills).map((at) => (0.5 * (at + Math.random())) / kills)]) {
        await killAt(t, Math.floor(share * records.length));
        await assertWhole(sample, database);
      }
    });

    test("is completed by importing the same file again", async () => {
      const there = count(database, resource);
      const { stdout, code } = await run();
      const created = records.length - there;
      assert.equal(code, 0);
      assert.equal(
        stdout.trim(),
        `read ${records.length}, created ${created}, updated 0, unchanged ${there}, refused 0`,
      );
      assert.equal(await assertWhole(sample, database), records.length);
    });
  });

  const start = (from: string) => {
    const child = spawn(process.execPath, [cli, "import", resource, from, "--database", database], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    endAfterFile(child);
    return child;
  };

  async function run(): Promise<{ stdout: string; code: number | null }> {
    const child = start(file);
    let stdout = "";
    child.stdout.on("data", (piece) => {
      stdout += piece;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { stdout, code };
  }

  /**
   * Kills an import shortly after this many records are in the database. The import waits for the end of its input, so it
   * can't have finished by then.
   */
  async function killAt(t: TestContext, least: number): Promise<void> {
    const child = start("-");
    const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    child.stdin.on("error", () => {});
    child.stdin.write(readFileSync(file));
    await waitUntil(
      () => child.exitCode !== null || (least === 0 ? existsSync(database) : count(database, resource) >= least),
      "there are enough records",
    );
    await pause(80 * Math.random());
    child.kill("SIGKILL");
    assert.equal(await ended, "SIGKILL", "the import ended before it could be killed");
    t.diagnostic(`killed with ${count(database, resource)} of ${records.length} records`);
  }
}

/** Records in a database that may not exist yet, or have no tables yet. */
function count(database: string, table: string): number {
  try {
    const db = new DatabaseSync(database, { readOnly: true });
    try {
      return Number(db.prepare(`select count(*) as n from ${table}`).get()?.n);
    } finally {
      db.close();
    }
  } catch {
    return 0;
  }
}

/**
 * Compares the whole database with the file; returns how many of its records exist. It uses a copy, so that the next
 * import finds the database exactly as the killed one left it.
 */
async function assertWhole(sample: Sample, database: string): Promise<number> {
  const copy = join(mkdtempSync(join(folder, "copy-")), "copy.db");
  for (const end of ["", "-wal"]) if (existsSync(database + end)) copyFileSync(database + end, copy + end);
  const db = new DatabaseSync(copy);
  assert.deepEqual({ ...db.prepare("pragma integrity_check").get() }, { integrity_check: "ok" });
  const api = await startApi({ database: copy });
  try {
    const there = await returned(api, sample);
    assertSideTables(db, sample, there);
    if (sample.resource === "news") await assertSearch(db, api, there);
    return there.length;
  } finally {
    await api.close();
    db.close();
  }
}

/** The records of the file that are returned, each exactly as in the file. */
async function returned(api: Api, { records, pages, pageSize, shown }: Sample): Promise<RecordInput[]> {
  const byId = new Map(records.map((record) => [record.id, record]));
  const there: RecordInput[] = [];
  for (let page = 0; ; page++) {
    const found = recordsOf(await api.get(`${pages}&page=${page}`));
    for (const record of found) {
      const expected = byId.get(record.id);
      assert.ok(expected, `record ${record.id} is not in the file, or was returned twice`);
      byId.delete(record.id);
      assert.deepEqual(record, shown(expected));
      there.push(expected);
    }
    if (found.length < pageSize) return there;
  }
}

function assertSideTables(db: DatabaseSync, { resource, records }: Sample, there: readonly RecordInput[]): void {
  const description = resourceNamed(resource);
  const lines = (sql: string): string[] =>
    (db.prepare(sql).all() as Body[]).map((row) => Object.values(row).join("|")).sort();
  const isThere = new Set(there);
  const survivors = records.filter((record) => isThere.has(record));
  assert.equal(survivors.length, there.length);
  assert.deepEqual(lines(`select id from ${resource}`), survivors.map(({ id }) => String(id)).sort());
  assert.deepEqual(
    lines("select resource, id, kind from change"),
    survivors.map(({ id }) => `${resource}|${id}|created`).sort(),
  );
  assert.deepEqual(lines("select name from version where name <> 'keys'"), survivors.length === 0 ? [] : [resource]);
  if (resource !== "news") return;

  const links = survivors.flatMap((record) => {
    const accepted = validateRecord(description, record, 0);
    assert.ok("row" in accepted);
    return Object.entries(description.links).flatMap(([kind, values]) =>
      values(accepted.row).map((value) => `${kind}|${value}|${record.id}`),
    );
  });
  const idOf = (table: string) => `(select id from news where news.key = ${table}.key)`;
  assert.deepEqual(lines(`select kind, value, ${idOf("news_link")} from news_link`), [...new Set(links)].sort());
  const texts = survivors.filter(({ body, teaser }) => body !== "" || teaser !== "").map(({ id }) => String(id));
  assert.deepEqual(lines(`select ${idOf("news_text")} from news_text`), texts.sort());
  const searchable = "select news.id from news_search s left join news on news.key = s.rowid";
  assert.deepEqual(lines(searchable), survivors.map(({ id }) => String(id)).sort());
}

/** The full-text index is intact, and matches every existing record by its title and no others. */
async function assertSearch(db: DatabaseSync, api: Api, there: readonly RecordInput[]): Promise<void> {
  db.exec("insert into news_search (news_search, rank) values ('integrity-check', 1)");
  const present = new Set(there.map(({ id }) => id));
  for (let n = 0; n < news.records.length; n += 97) {
    const { id, body } = news.records[n] as Body;
    const expected = present.has(id) ? [id] : [];
    assert.deepEqual(await api.ids(`/api/v2/news?topics=title word${n}`), expected);
    assert.deepEqual(await api.ids(`/api/v2/news?topics=body word${n}`), body === "" ? [] : expected);
  }
}
