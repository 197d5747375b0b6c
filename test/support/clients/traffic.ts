// Clients that write nonstop and track acknowledged writes, for tests that kill the server.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Row } from "../../../src/core/record/row.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Api, type Body, type RecordInput, resourceNamed } from "./api.ts";

/** A record's version; 0 if it doesn't exist. */
type Version = number;

/** A record derived from its ID and version, to detect a mix of two versions. */
const recordOf: Readonly<Record<string, (id: string, version: Version) => RecordInput>> = {
  ratings: (id, version) => ({
    ...{ id, date: `2024-11-${String((version % 28) + 1).padStart(2, "0")}`, updated: version },
    ...{ ticker: `T${version}`, notes: `version ${version} of ${id}`.repeat(20), analyst_id: `a${version}` },
  }),
  news: (id, version) => ({
    ...{ id: Number(id), created: 1_730_800_000 + version, updated: 1_730_800_000 + version },
    title: wordOf(id, version),
    body: `<p>${`body of version ${version} `.repeat(50)}</p>`,
    tags: [{ name: `tag ${version}` }],
    channels: [{ name: `Channel ${version % 7}`, id: (version % 7) + 1 }],
    stocks: [{ name: `T${version}`, primary: version % 2 === 0 }, { name: "ALL" }],
  }),
};

/** Occurs in one version of one record only. */
const wordOf = (id: string, version: Version): string => `word${id}v${version}`;

const rowOf = (resource: string, id: string, version: Version): Row => {
  const accepted = validateRecord(resourceNamed(resource), recordOf[resource]?.(id, version), 0);
  assert.ok("row" in accepted);
  return accepted.row;
};

export class Traffic {
  /** Possible versions of each record: the last acknowledged one, and any sent after it. */
  readonly #possible = new Map<string, Set<Version>>();
  #made = 0;
  #version = 0;
  acknowledged = 0;
  #clients = 0;

  /**
   * Lets clients write until `cut` kills the server after a random number of writes, so that slow machines are in the
   * middle of them, too. Clients continue after temporary rejections.
   */
  async interrupted(url: string, key: string, cut: () => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const enough = this.acknowledged + Math.floor(50 * Math.random());
    this.#clients = 4;
    const writing = Array.from({ length: 4 }, () => this.#write(url, key, stop.signal).finally(() => this.#clients--));
    while (this.acknowledged < enough && this.#clients > 0) await pause(1);
    assert.ok(this.#clients > 0, "the server was gone before it was killed");
    await pause(10 * Math.random());
    await cut();
    stop.abort();
    await Promise.all(writing);
  }

  /** Writes records until the server is gone or the signal is aborted. */
  async #write(url: string, key: string, stop: AbortSignal): Promise<void> {
    const mine: string[] = [];
    while (!stop.aborted) {
      const step = this.#made++ % 6;
      const resource = step % 2 === 0 ? "ratings" : "news";
      const known = step >= 4 ? mine.splice(0, 1)[0] : undefined;
      const name = known ?? `${resource}/${1000 + this.#made}`;
      const version = step === 5 && known !== undefined ? 0 : ++this.#version;
      const possible = this.#possible.get(name) ?? new Set([0]);
      this.#possible.set(name, possible.add(version));
      const outcome = await this.#send(url, key, name, version);
      if (outcome === "gone") return;
      if (outcome === "refused") continue;
      this.#possible.set(name, new Set([version]));
      this.acknowledged++;
      mine.push(name);
    }
  }

  /** Whether the write was acknowledged; otherwise its outcome is unknown. */
  async #send(url: string, key: string, name: string, version: Version): Promise<"done" | "refused" | "gone"> {
    const [resource = "", id = ""] = name.split("/");
    const authorization = `Bearer ${key}`;
    const signal = AbortSignal.timeout(120_000);
    try {
      const response =
        version === 0
          ? await fetch(`${url}/admin/v1/records/${name}`, { method: "DELETE", headers: { authorization }, signal })
          : await fetch(`${url}/admin/v1/records/${resource}`, {
              method: "POST",
              headers: { authorization, "content-type": "application/json" },
              body: JSON.stringify([recordOf[resource]?.(id, version)]),
              signal,
            });
      const text = await response.text();
      if (response.status === 503) return "refused";
      assert.equal(response.status, 200, text);
      return "done";
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return "gone";
    }
  }

  /** Compares the records with the acknowledged writes; each must be exactly one of its versions. */
  async check(store: Store): Promise<void> {
    const found = new Map<string, Version>();
    for (const resource of Object.keys(recordOf)) {
      for await (const row of store.scan(resourceNamed(resource))) {
        const version = Number(row.updated) % 1_730_800_000;
        assert.deepEqual(row, rowOf(resource, String(row.id), version), "a record is made of two versions");
        found.set(`${resource}/${row.id}`, version);
      }
    }
    for (const [name, possible] of this.#possible) {
      const version = found.get(name) ?? 0;
      assert.ok(possible.has(version), `${name} is in version ${version}, expected ${[...possible].join(" or ")}`);
      this.#possible.set(name, new Set([version]));
      found.delete(name);
    }
    assert.deepEqual([...found.keys()], [], "unknown records");
    await this.#checkLog(store);
  }

  /** The log of each record is consistent and ends with its current state. */
  async #checkLog(store: Store): Promise<void> {
    const kinds = new Map<string, string[]>();
    for (const { resource, id, kind } of await store.changes(0, 1_000_000)) {
      const name = `${resource}/${id}`;
      kinds.set(name, [...(kinds.get(name) ?? []), kind]);
    }
    for (const [name, [version = 0]] of this.#entries()) {
      const story = (kinds.get(name) ?? []).join(" ");
      assert.match(story, /^((^| )created( updated)*( removed)?)*$/, name);
      assert.equal(/(created|updated)$/.test(story), version > 0, `${name}: ${story}`);
      kinds.delete(name);
    }
    assert.deepEqual([...kinds.keys()], []);
  }

  #entries(): [string, Version[]][] {
    return [...this.#possible].map(([name, versions]) => [name, [...versions]]);
  }

  /** Compares every side table with the records, in SQL for both databases. */
  async checkTables(select: (sql: string) => Promise<Body[]>, searchKey: string): Promise<void> {
    const lines = async (sql: string) => (await select(sql)).map((row) => Object.values(row).join("|")).sort();
    const news = this.#entries().flatMap(([name, [version = 0]]) => {
      const [resource = "", id = ""] = name.split("/");
      return resource === "news" && version > 0 ? [{ id, row: rowOf(resource, id, version) }] : [];
    });
    const ids = news.map(({ id }) => id).sort();
    const links = news.flatMap(({ id, row }) =>
      Object.entries(resourceNamed("news").links).flatMap(([kind, values]) =>
        [...new Set(values(row))].map((value) => `${kind}|${value}|${id}`),
      ),
    );
    const joined = (table: string, key = "key") => `${table} s left join news on news.key = s.${key}`;
    assert.deepEqual(await lines(`select s.kind, s.value, news.id from ${joined("news_link")}`), links.sort());
    assert.deepEqual(await lines(`select news.id from ${joined("news_text")}`), ids);
    assert.deepEqual(await lines(`select news.id from ${joined("news_search", searchKey)}`), ids);
    const removed = this.#entries().filter(([, [version]]) => version === 0);
    const listed = await lines("select resource, id from removal");
    for (const each of listed)
      assert.ok(
        removed.some(([name]) => name === each.replace("|", "/")),
        `${each} is there`,
      );
  }

  /** Each record is found by the word of its current version only. */
  async checkSearch(api: Api): Promise<void> {
    for (const [name, [version = 0]] of this.#entries().slice(-300)) {
      const [resource, id = ""] = name.split("/");
      if (resource !== "news") continue;
      const word = wordOf(id, version);
      assert.deepEqual(await api.ids(`/api/v2/news?topics=${word}`), version === 0 ? [] : [Number(id)]);
    }
  }
}
