// What a store keeps besides records: keys, notes, and whether it holds anything at all.
import assert from "node:assert/strict";
import { catalog } from "../../src/resources/catalog.ts";
import { resourceNamed } from "../support/api.ts";
import { onEveryStore } from "../support/every-store.ts";

onEveryStore("store", (test) => {
  test("keys are found by hash, one to a name until it is revoked, and every change of them is seen", async (api) => {
    const { store } = api;
    const add = (name: string, hash: string) =>
      store.addKey({ name, hash, licenses: ["cusip"], created: 3, expires: "" });
    const counts = [(await store.state()).keys];
    const step = async (work: () => Promise<unknown>) => {
      const result = await work();
      counts.push((await store.state()).keys);
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

  test("a key keeps its scopes, and may read when none were said", async ({ store }) => {
    const grants = { licenses: [], created: 3, expires: "" };
    await store.addKey({ name: "plain", hash: "one", ...grants });
    await store.addKey({ name: "writer", hash: "two", scopes: ["write", "replicate"], ...grants });
    assert.deepEqual((await store.findKey("one"))?.scopes, ["read"]);
    assert.deepEqual((await store.findKey("two"))?.scopes, ["write", "replicate"]);
    const listed = (await store.listKeys()).filter(({ created }) => created === 3).map(({ scopes }) => scopes);
    assert.deepEqual(listed, [["read"], ["write", "replicate"]]);
  });

  test("a store is empty until it holds a record, and remembers its notes", async (api) => {
    assert.equal(await api.store.isEmpty(), true);
    await api.store.setNote("a", "1");
    await api.store.setNote("a", "2");
    assert.deepEqual([await api.store.note("a"), await api.store.note("b")], ["2", undefined]);
    assert.equal(await api.store.isEmpty(), true);
    for (const { name } of catalog) {
      await api.has(name, [{ id: name === "news" ? 1 : "1" }]);
      assert.equal(await api.store.isEmpty(), false);
      assert.equal(await api.store.remove(resourceNamed(name), ["1"]), 1);
      assert.equal(await api.store.isEmpty(), true);
    }
  });
});
