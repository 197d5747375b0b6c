// `keys` with terms: create, show, update, rotate.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { termsFromFlags } from "../../../src/commands/keys/key-flags.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { bellwire, bellwireWrites, freshDatabase, keyOn } from "../support/bellwire.ts";

async function withApi(run: (api: Api, keys: (...args: string[]) => Promise<string>) => Promise<void>): Promise<void> {
  const api = await startApi();
  api.clock.now = Date.now() / 1000;
  try {
    await run(api, async (...args) => (await bellwireWrites(["keys", ...args, "--database", api.file])).trimEnd());
  } finally {
    await api.close();
  }
}

const termsIn = (text: string): Map<string, string> =>
  new Map(text.split("\n").map((line) => line.split(/ {2,}/) as [string, string]));

describe("key terms on the command line", () => {
  test("are set when a key is created, shown, and enforced by the server", () =>
    withApi(async (api, keys) => {
      const key = await keys(
        ...["create", "--name", "acme", "--owner", "Acme Ltd", "--resource", "news,ratings", "--resource", "earnings"],
        ...["--history", "365d", "--delay", "15", "--rate", "100/m", "--burst", "20", "--quota", "5000/month"],
        ...["--expires", "2099-12-31", "--network", "127.0.0.0/8, 2001:db8::/32", "--compat", "true"],
      );
      const [row] = (await api.store.listKeys()).filter(({ name }) => name === "acme");
      const { hash: _, created: __, ...stored } = row ?? assert.fail("no key");
      assert.deepEqual(stored, {
        ...{ name: "acme", revoked: undefined, retires: undefined, owner: "Acme Ltd", scopes: ["read"], licenses: [] },
        ...{ resources: ["news", "ratings", "earnings"], history: "365d", delay: 15, rate: 100 / 60, burst: 20 },
        ...{ quota: 5000, quotaPer: "month", expires: "2099-12-31", origins: [] },
        ...{ networks: ["127.0.0.0/8", "2001:db8::/32"], compat: true },
      });
      const shown = termsIn(await keys("show", "acme"));
      for (const [name, value] of [
        ["name", "acme"],
        ["state", "valid"],
        ["owner", "Acme Ltd"],
        ["resources", "news,ratings,earnings"],
        ["delay_minutes", "15"],
        ["quota_per", "month"],
        ["origins", "-"],
        ["compat", "true"],
      ] as const)
        assert.equal(shown.get(name), value);
      assert.ok(![...shown.values()].some((value) => value.includes("bw_")));
      const status = async (path: string) => (await api.request(`${path}?token=${key}`)).status;
      assert.deepEqual([await status("/api/v2/news"), await status("/api/v2.2/calendar/dividends")], [200, 403]);
    }));

  test("change when provided, are removed by an empty value, and stay otherwise", () =>
    withApi(async (api, keys) => {
      const key = await keys("create", "--name", "acme", "--owner", "Acme", "--resource", "ratings", "--rate", "5/s");
      const status = async () => (await api.request(`/api/v2/news?token=${key}`)).status;
      assert.equal(await status(), 403);
      const shown = termsIn(await keys("update", "acme", "--resource", "", "--quota", "100/day"));
      assert.deepEqual(
        ["resources", "quota", "rate", "owner"].map((name) => shown.get(name)),
        ["-", "100", "5", "Acme"],
      );
      assert.equal(await status(), 200);
      const off = termsIn(await keys("update", "acme", "--quota", "0", "--rate", "0"));
      assert.deepEqual([off.get("quota"), off.get("rate")], ["0", "0"]);
    }));

  test("carry over to the successor of a rotated key, which stays valid for its grace period", () =>
    withApi(async (api, keys) => {
      const old = await keys("create", "--name", "acme", "--resource", "news");
      const next = await keys("rotate", "acme", "--grace", "2");
      assert.match(next, /^bw_[0-9A-Za-z]{38}$/);
      const status = async (key: string, path: string) => {
        api.clock.now = Date.now() / 1000 + 1;
        return (await api.request(`${path}?token=${key}`)).status;
      };
      for (const key of [old, next]) {
        assert.equal(await status(key, "/api/v2/news"), 200);
        assert.equal(await status(key, "/api/v2.1/calendar/ratings"), 403);
      }
      const states = (await keys("list")).split("\n").filter((line) => line.startsWith("acme"));
      assert.match(states[0] ?? "", /retiring until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/);
      assert.match(states[1] ?? "", /valid/);
      const last = await keys("rotate", "acme", "--grace", "0");
      assert.deepEqual(await Promise.all([old, next, last].map((key) => status(key, "/api/v2/news"))), [401, 401, 200]);
      await keys("revoke", "acme");
      assert.deepEqual(await Promise.all([old, next, last].map((key) => status(key, "/api/v2/news"))), [401, 401, 401]);
    }));

  test("that are invalid are reported by flag", () => {
    for (const [flag, input, output] of [
      ["history", "1y", /^--history: expected a day as YYYY-MM-DD, .*, got "1y"$/],
      ["delay", "15m", /^--delay: expected a whole number from 0 to 525600, got "15m"$/],
      ["rate", "fast", /^--rate: expected a rate such as 5\/s, .*, got "fast"$/],
      ["rate", "1000000/s", /^--rate: expected a rate such as 5\/s, .*, got "1000000\/s"$/],
      ["quota", "100/week", /^--quota: expected a quota such as 1000\/day .*, got "100\/week"$/],
      ["burst", "-1", /^--burst: expected a whole number .*, got "-1"$/],
      ["resource", "news,weather", /^--resource: expected news, ratings, .*, got "weather"$/],
      ["origin", "example.com", /^--origin: expected an origin .*, got "example.com"$/],
      ["network", "10.0.0.0/40", /^--network: expected a network .*, got "10.0.0.0\/40"$/],
      ["owner", "x".repeat(501), /^--owner: expected text of at most 500 characters/],
    ] as const)
      assert.throws(() => termsFromFlags({ [flag]: input }), { message: output });
    assert.deepEqual(termsFromFlags({ rate: "36/h", quota: "0", origin: "", burst: "0" }), {
      ...{ rate: 0.01, quota: 0, origins: [], burst: 0 },
    });
  });

  test("that contradict the key's other terms are rejected, and so is an unknown name", async () => {
    const database = freshDatabase();
    await keyOn(database, "acme");
    for (const [args, status, output] of [
      [["update", "acme", "--burst", "5"], 2, /--burst: expected to be given with a rate, got "5"/],
      [["update", "acme", "--expires", "2001-01-01"], 2, /--expires: expected today or a later day, got "2001-01-01"/],
      [["update", "acme"], 2, /keys update: expected one of --owner, /],
      [["rotate", "acme", "--grace", "9999"], 2, /--grace: expected a whole number from 0 to 8760, got "9999"/],
      [["rotate"], 2, /keys rotate: expected the NAME of a key/],
      [["show", "nobody"], 1, /keys show: no valid key is named "nobody"/],
    ] as const) {
      const found = await bellwire(["keys", ...args, "--database", database]);
      assert.deepEqual([found.status, found.stdout], [status, ""], args.join(" "));
      assert.match(found.stderr, output);
    }
  });
});
