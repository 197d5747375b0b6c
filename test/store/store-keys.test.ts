// What a store contains besides records: keys, metadata, and whether it is empty.
import assert from "node:assert/strict";
import type { Terms } from "../../src/core/access/terms.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { resourceNamed } from "../support/clients/api.ts";
import { onEveryStore } from "../support/stores/every-store.ts";

onEveryStore("keys", (test) => {
  test("are found by hash, one per name until it is revoked, and every change is seen", async (api) => {
    const { store } = api;
    const add = (name: string, hash: string) =>
      store.addKey({ name, hash, licenses: ["cusip"], created: 3, expires: "" });
    const counts = [(await store.state()).keysVersion];
    const step = async (work: () => Promise<unknown>) => {
      const result = await work();
      counts.push((await store.state()).keysVersion);
      return result;
    };
    await step(() => add("reader", "one"));
    await assert.rejects(add("reader", "two"));
    assert.equal(await step(() => store.revokeKey("reader", 9)), true);
    assert.equal(await store.revokeKey("reader", 10), false);
    assert.equal(await store.revokeKey("nobody", 10), false);
    await step(() => add("reader", "three"));
    assert.equal(new Set(counts).size, counts.length);
    assert.equal((await store.findKey("one"))?.revoked, 9);
    assert.deepEqual((await store.findKey("three"))?.licenses, ["cusip"]);
    assert.equal(await store.findKey("two"), undefined);
    const named = (await store.listKeys()).filter(({ name }) => name === "reader").map(({ hash }) => hash);
    assert.deepEqual(named, ["one", "three"]);
  });

  test("exist as long as one is not revoked", async ({ store }) => {
    for (const { name } of await store.listKeys()) await store.revokeKey(name, 9);
    assert.equal(await store.hasKey(), false);
    await store.addKey({ name: "reader", hash: "one", licenses: [], created: 3, expires: "" });
    assert.equal(await store.hasKey(), true);
  });

  test("keep their scopes, and may read by default", async ({ store }) => {
    const grants = { licenses: [], created: 3, expires: "" };
    await store.addKey({ name: "plain", hash: "one", ...grants });
    await store.addKey({ name: "writer", hash: "two", scopes: ["write", "replicate"], ...grants });
    assert.deepEqual((await store.findKey("one"))?.scopes, ["read"]);
    assert.deepEqual((await store.findKey("two"))?.scopes, ["write", "replicate"]);
    const listed = (await store.listKeys()).filter(({ created }) => created === 3).map(({ scopes }) => scopes);
    assert.deepEqual(listed, [["read"], ["write", "replicate"]]);
  });

  test("keep their terms, both those that change and those that don't", async ({ store }) => {
    const terms: Terms = {
      owner: "A & Söhne",
      scopes: ["read"],
      licenses: ["cusip"],
      resources: ["news", "ratings"],
      history: "365d",
      delay: 15,
      rate: 0.5,
      burst: 7,
      quota: 1_000_000_000_000,
      quotaPer: "month",
      expires: "2099-12-31",
      origins: ["https://example.com"],
      networks: ["192.0.2.0/24", "2001:db8::/32"],
      compat: true,
    };
    await store.addKey({ name: "sold", hash: "sold", created: 3, ...terms });
    assert.deepEqual(await store.findKey("sold"), {
      ...{ name: "sold", hash: "sold", created: 3, revoked: undefined, retires: undefined },
      ...terms,
    });
    const before = (await store.state()).keysVersion;
    assert.equal(await store.updateKey("sold", { delay: 0, networks: [] }, 10), true);
    assert.notEqual((await store.state()).keysVersion, before);
    assert.deepEqual(await store.findKey("sold"), {
      ...{ name: "sold", hash: "sold", created: 3, revoked: undefined, retires: undefined },
      ...{ ...terms, delay: 0, networks: [] },
    });
    await store.revokeKey("sold", 11);
    assert.equal(await store.updateKey("sold", { delay: 5 }, 12), false);
    assert.equal(await store.updateKey("nobody", { delay: 5 }, 12), false);
    assert.equal((await store.findKey("sold"))?.delay, 0);
  });

  test("stay valid for their grace period when rotated, and are changed and revoked with their successor", async ({
    store,
  }) => {
    await store.addKey({ name: "sold", hash: "one", created: 3, delay: 5 });
    assert.equal(await store.rotateKey("nobody", { hash: "none", created: 4, retires: 100 }), false);
    const before = (await store.state()).keysVersion;
    assert.equal(await store.rotateKey("sold", { hash: "two", created: 4, retires: 100 }), true);
    assert.notEqual((await store.state()).keysVersion, before);
    const found = async (hash: string) => {
      const { name, delay, created, revoked, retires } = (await store.findKey(hash)) ?? assert.fail(hash);
      return { name, delay, created, revoked, retires };
    };
    const ends = async (...hashes: string[]) =>
      (await Promise.all(hashes.map(found))).map(({ revoked, retires }) => [revoked, retires]);
    assert.deepEqual(await found("one"), { name: "sold", delay: 5, created: 3, revoked: 4, retires: 100 });
    assert.deepEqual(await found("two"), {
      name: "sold",
      delay: 5,
      created: 4,
      revoked: undefined,
      retires: undefined,
    });
    await store.updateKey("sold", { delay: 6 }, 50);
    assert.deepEqual([(await found("one")).delay, (await found("two")).delay], [6, 6]);
    // Expired ones are unchanged.
    await store.updateKey("sold", { delay: 7 }, 100);
    assert.deepEqual([(await found("one")).delay, (await found("two")).delay], [6, 7]);
    await store.rotateKey("sold", { hash: "three", created: 101, retires: 300 });
    assert.equal(await store.revokeKey("sold", 200), true);
    assert.deepEqual(await ends("one", "two", "three"), [
      [100, undefined],
      [200, undefined],
      [200, undefined],
    ]);
    assert.equal(await store.rotateKey("sold", { hash: "four", created: 201, retires: 300 }), false);
    assert.equal(await store.findKey("four"), undefined);
    assert.equal(await store.revokeKey("sold", 201), false);
    // Without a grace period, the old one ends with its replacement.
    await store.addKey({ name: "other", hash: "five", created: 3 });
    await store.rotateKey("other", { hash: "six", created: 300, retires: undefined });
    assert.deepEqual(await ends("five", "six"), [
      [300, undefined],
      [undefined, undefined],
    ]);
  });

  test("retire no later than their successor when it is rotated", async ({ store }) => {
    const ends = async () => {
      const rows = await Promise.all(["k1", "k2", "k3", "k4"].map((hash) => store.findKey(hash)));
      return rows.map((row) => row?.retires ?? row?.revoked);
    };
    await store.addKey({ name: "sold", hash: "k1", created: 3 });
    await store.rotateKey("sold", { hash: "k2", created: 10, retires: 1000 });
    await store.rotateKey("sold", { hash: "k3", created: 20, retires: 500 });
    assert.deepEqual(await ends(), [500, 500, undefined, undefined]);
    // A longer grace period doesn't restore what has ended or is about to.
    await store.rotateKey("sold", { hash: "k4", created: 30, retires: 2000 });
    assert.deepEqual(await ends(), [500, 500, 2000, undefined]);
  });

  test("end immediately, along with their predecessors, when rotated without a grace period", async ({ store }) => {
    await store.addKey({ name: "sold", hash: "k1", created: 3 });
    await store.addKey({ name: "other", hash: "o1", created: 3 });
    await store.rotateKey("other", { hash: "o2", created: 10, retires: 1000 });
    await store.rotateKey("sold", { hash: "k2", created: 10, retires: 1000 });
    await store.rotateKey("sold", { hash: "k3", created: 20, retires: undefined });
    const found = [];
    for (const hash of ["k1", "k2", "k3", "o1"]) {
      const { revoked, retires } = (await store.findKey(hash)) ?? assert.fail(hash);
      found.push([revoked, retires]);
    }
    assert.deepEqual(found, [
      [20, undefined],
      [20, undefined],
      [undefined, undefined],
      [10, 1000],
    ]);
  });

  test("are replaced when stored again under their hash", async ({ store }) => {
    await store.addKey({ name: "first", hash: "one", created: 3, delay: 5 });
    await store.addKey({ name: "second", hash: "one", created: 4, revoked: 9, retires: 12 });
    const [found, ...others] = (await store.listKeys()).filter(({ hash }) => hash === "one");
    assert.deepEqual(
      [found?.name, found?.delay, found?.created, found?.revoked, found?.retires],
      ["second", 0, 4, 9, 12],
    );
    assert.deepEqual(others, []);
  });

  test("a store is empty until it contains a record, and remembers its metadata", async (api) => {
    assert.equal(await api.store.isEmpty(), true);
    await api.store.setMetadata("a", "1");
    await api.store.setMetadata("a", "2");
    assert.deepEqual([await api.store.getMetadata("a"), await api.store.getMetadata("b")], ["2", undefined]);
    assert.equal(await api.store.isEmpty(), true);
    for (const { name } of catalog) {
      await api.has(name, [{ id: name === "news" ? 1 : "1" }]);
      assert.equal(await api.store.isEmpty(), false);
      assert.equal(await api.store.remove(resourceNamed(name), ["1"]), 1);
      assert.equal(await api.store.isEmpty(), true);
    }
  });
});
