// `keys` as scripts use it: create, list, revoke.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { startApi } from "../../support/clients/api.ts";
import { bellwire, bellwireWrites, freshDatabase, keyOn } from "../support/bellwire.ts";

const keyForm = /^bw_[0-9A-Za-z]{38}$/;

describe("keys create", () => {
  test("prints the key alone on the last line of standard output, and creates the database", async () => {
    const args = ["keys", "create", "--name", "reader", "--database", freshDatabase()];
    const { status, stdout } = await bellwire(args, { ownProcess: true });
    assert.equal(status, 0);
    assert.ok(stdout.endsWith("\n"));
    assert.match(stdout.trimEnd().split("\n").at(-1) ?? "", keyForm);
  });

  test("stores only a hash: the key is nowhere in the database", async () => {
    const database = freshDatabase();
    const key = await keyOn(database);
    assert.ok(!readFileSync(database).includes(key));
    assert.ok(!(await bellwireWrites(["keys", "list", "--database", database])).includes(key));
  });

  test("sets licenses and an expiry, which the server enforces", async () => {
    const api = await startApi();
    try {
      const create = async (...more: string[]) =>
        (await bellwireWrites(["keys", "create", "--database", api.file, ...more])).trimEnd();
      const plain = await create("--name", "plain");
      const licensed = await create("--name", "licensed", "--license", "cusip");
      const brief = await create("--name", "brief", "--expires", "2099-12-31");
      const status = async (key: string) => (await api.request(`/api/v2/news?cusips=1&token=${key}`)).status;
      assert.deepEqual([await status(plain), await status(licensed), await status(brief)], [403, 200, 403]);
      api.clock.now = Date.parse("2100-01-01T05:00:00Z") / 1000 - 1;
      assert.equal(await status(brief), 403);
      api.clock.now++;
      assert.equal(await status(brief), 401);
      assert.equal(await status(licensed), 200);
    } finally {
      await api.close();
    }
  });

  test("sets scopes, comma-separated or repeated; by default a key may read", async () => {
    const api = await startApi();
    try {
      const create = async (name: string, ...more: string[]) =>
        (await bellwireWrites(["keys", "create", "--database", api.file, "--name", name, ...more])).trimEnd();
      const plain = await create("plain");
      const writer = await create("writer", "--scope", "write");
      await create("listed", "--scope", "replicate, read,read");
      await create("repeated", "--scope", "write", "--scope", "read,admin");
      const held = new Map((await api.store.listKeys()).map(({ name, scopes }) => [name, scopes]));
      assert.deepEqual(held.get("plain"), ["read"]);
      assert.deepEqual(held.get("writer"), ["write"]);
      assert.deepEqual(held.get("listed"), ["read", "replicate"]);
      assert.deepEqual(held.get("repeated"), ["read", "write", "admin"]);
      const status = async (key: string) => (await api.request(`/api/v2/news?token=${key}`)).status;
      assert.deepEqual([await status(plain), await status(writer)], [200, 403]);
    } finally {
      await api.close();
    }
  });

  test("rejects a name that is in use, and accepts it once the key is revoked", async () => {
    const database = freshDatabase();
    const first = await keyOn(database, "reader");
    const again = await bellwire(["keys", "create", "--name", "reader", "--database", database]);
    assert.deepEqual([again.status, again.stdout], [2, ""]);
    assert.match(again.stderr, /--name: .*"reader"/);
    await bellwireWrites(["keys", "revoke", "reader", "--database", database]);
    assert.notEqual(await keyOn(database, "reader"), first);
  });

  test("rejects an invalid value with the flag, the value, and what was expected", async () => {
    const database = freshDatabase();
    for (const [args, output] of [
      [[], /--name: expected a name/],
      [["--name", "a", "--license", "gold"], /--license: expected cusip, got "gold"/],
      [["--name", "a", "--scope", "all"], /--scope: expected read, write, replicate, bulk, links, admin, got "all"/],
      [["--name", "a", "--scope", "read", "--scope", "wrte"], /--scope: expected read, .*, got "wrte"/],
      [["--name", "a", "--scope", ""], /--scope: expected read, .*, got ""/],
      [["--name", "a", "--expires", "2026-02-30"], /--expires: expected a day as YYYY-MM-DD, got "2026-02-30"/],
      [["--name", "a", "--expires", "2001-01-01"], /--expires: expected today or a later day, got "2001-01-01"/],
      [["reader"], /"reader".*--name/],
    ] as const) {
      const { status, stdout, stderr } = await bellwire(["keys", "create", ...args, "--database", database]);
      assert.deepEqual([status, stdout], [2, ""], args.join(" "));
      assert.match(stderr, output);
    }
    assert.match((await bellwire(["keys", "list", "--database", database])).stderr, /no keys/);
  });
});

describe("keys list and revoke", () => {
  test("list shows name, state, days, scopes, and licenses, one key per line", async () => {
    const database = freshDatabase();
    await keyOn(database, "first");
    await bellwireWrites(["keys", "create", "--name", "second one", "--expires", "2099-12-31", "--database", database]);
    await bellwireWrites(["keys", "revoke", "first", "--database", database]);
    const [head = "", first = "", second = "", ...rest] = (
      await bellwireWrites(["keys", "list", "--database", database])
    ).split("\n");
    assert.deepEqual(head.split(/ {2,}/), ["NAME", "STATE", "CREATED", "EXPIRES", "SCOPES", "LICENSES"]);
    const [name, state, created, ...grants] = first.split(/ {2,}/);
    assert.deepEqual([name, state, ...grants], ["first", "revoked", "-", "read", "cusip"]);
    assert.match(created ?? "", /^\d{4}-\d{2}-\d{2}$/);
    assert.deepEqual(second.split(/ {2,}/).toSpliced(2, 1), ["second one", "valid", "2099-12-31", "read", "-"]);
    assert.deepEqual(rest, [""]);
  });

  test("revoke ends a key, and fails when no valid key has the name", async () => {
    const database = freshDatabase();
    const key = await keyOn(database, "reader");
    const mistaken = await bellwire(["keys", "revoke", key, "--database", database]);
    assert.equal(mistaken.status, 1);
    assert.ok(!mistaken.stderr.includes(key), "a key in place of its name is not echoed");
    const revoke = () => bellwire(["keys", "revoke", "reader", "--database", database]);
    assert.equal((await revoke()).status, 0);
    const again = await revoke();
    assert.equal(again.status, 1);
    assert.match(again.stderr, /"reader"/);
    assert.equal((await bellwire(["keys", "revoke", "--database", database])).status, 2);
  });

  test("an unknown action is reported with the existing ones", async () => {
    for (const args of [["keys"], ["keys", "delete", "x"]]) {
      const { status, stderr } = await bellwire(args);
      assert.equal(status, 2);
      assert.match(stderr, /expected create, list, show, update, rotate, revoke/);
    }
  });
});
