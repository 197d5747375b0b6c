// Limits are shared by all keys of a name: those of an ended key, or read too early, must not be restored.
import assert from "node:assert/strict";
import { test as nodeTest } from "node:test";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Api, type ApiResponse, startApi } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const standing = ({ status, headers }: Pick<ApiResponse, "status" | "headers">) => [
  status,
  headers["x-ratelimit-limit"],
  headers["x-ratelimit-remaining"],
];

const hour = 3600;

/** Another server on the store of a test. */
async function serve(store: Store, now: () => number) {
  const log = createLog("silent");
  const { app, handle } = await buildServer({ catalog, store, log, openapi: {}, now, cacheBytes: 1024 * 1024 });
  await app.ready();
  return {
    request: async (token: string) => {
      const { statusCode, headers } = await inject(handle, { url: `/api/v2/news?token=${token}` });
      return { status: statusCode, headers: headers as ApiResponse["headers"] };
    },
    close: () => app.close(),
  };
}

onEveryStore("limits of rotated keys", (test) => {
  const replaced = async ({ store, clock, key }: Api, terms: object) => {
    const old = await key({ name: "sold", ...terms });
    const successor = generateKey();
    const created = clock.now;
    await store.rotateKey("sold", { hash: hashKey(successor), created, retires: created + hour });
    return { old, successor };
  };

  for (const [before, terms] of [
    ["had none", {}],
    ["had more", { quota: 1000 }],
  ] as const)
    test(`a key past its grace period that ${before} is rejected, and changes nothing`, async (api) => {
      const { old, successor } = await replaced(api, terms);
      const request = (token: string) => api.request(`/api/v2/news?token=${token}`);
      api.clock.now += 2 * hour;
      await api.store.updateKey("sold", { quota: 5 }, api.clock.now);
      // Cached from the third time on.
      const found = [];
      for (const token of [successor, successor, successor, old, successor, old, successor, successor])
        found.push(standing(await request(token)));
      const rejected = [401, undefined, undefined];
      assert.deepEqual(found, [
        [200, "5", "4"],
        [200, "5", "3"],
        [200, "5", "2"],
        rejected,
        [200, "5", "1"],
        rejected,
        [200, "5", "0"],
        [429, "5", "0"],
      ]);
    });

  test("during its grace period, the old key shares the limits of the new one", async (api) => {
    const { old, successor } = await replaced(api, {});
    await api.store.updateKey("sold", { quota: 3 }, api.clock.now);
    const found = [];
    for (const token of [old, successor, old, successor])
      found.push(standing(await api.request(`/api/v2/news?token=${token}`)));
    assert.deepEqual(found, [
      [200, "3", "2"],
      [200, "3", "1"],
      [200, "3", "0"],
      [429, "3", "0"],
    ]);
  });

  test("a key that was read before its limits changed doesn't restore the old ones", async (api) => {
    const token = await api.key({ name: "sold", quota: 1000 });
    let wait: Promise<void> | undefined;
    let reached = () => {};
    const server = await serve(
      {
        ...api.store,
        findKey: async (hash, state) => {
          const [row, held] = [await api.store.findKey(hash, state), wait];
          wait = undefined;
          if (held !== undefined) reached();
          await held;
          return row;
        },
      },
      () => api.clock.now,
    );
    try {
      let release = () => {};
      wait = new Promise((resolve) => {
        release = resolve;
      });
      const isHeld = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const early = server.request(token);
      await isHeld;
      await api.store.updateKey("sold", { quota: 4 }, api.clock.now);
      assert.deepEqual(standing(await server.request(token)), [200, "4", "3"]);
      release();
      assert.deepEqual(standing(await early), [200, "4", "2"]);
      assert.deepEqual(standing(await server.request(token)), [200, "4", "1"]);
    } finally {
      await server.close();
    }
  });

  test("a lagging replica doesn't restore old limits", async (api) => {
    const token = await api.key({ name: "sold", quota: 1000 });
    const past = { state: await api.store.state(), row: await api.store.findKey(hashKey(token)) };
    let isBehind = false;
    const server = await serve(
      {
        ...api.store,
        state: () => (isBehind ? past.state : api.store.state()),
        findKey: async (hash, state) => (isBehind ? past.row : api.store.findKey(hash, state)),
      },
      () => api.clock.now,
    );
    try {
      await api.store.updateKey("sold", { quota: 4 }, api.clock.now);
      const found = [];
      for (const behind of [false, true, false, true]) {
        isBehind = behind;
        found.push(standing(await server.request(token)));
      }
      assert.deepEqual(found, [
        [200, "4", "3"],
        [200, "4", "2"],
        [200, "4", "1"],
        [200, "4", "0"],
      ]);
    } finally {
      await server.close();
    }
  });
});

nodeTest("a failure while serving a cached response falls back to the full path, and ends no process", async () => {
  const api = await startApi();
  let failures = 0;
  const server = await serve(api.store, () => {
    if (failures > 0) {
      failures--;
      throw new Error("no clock");
    }
    return api.clock.now;
  });
  try {
    for (let time = 0; time < 3; time++) assert.equal((await server.request(api.token)).status, 200);
    failures = 1;
    assert.equal((await server.request(api.token)).status, 200);
    assert.equal(failures, 0);
    assert.equal((await server.request(api.token)).status, 200);
  } finally {
    await server.close();
    await api.close();
  }
});
