// Each resource of a mirror proceeds on its own: a list that fails delays no other and is the only one reported.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { catalog } from "../../src/resources/catalog.ts";
import { type Api, resourceNamed } from "../support/clients/api.ts";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { waitUntil } from "../support/wait-until.ts";
import { mirroringBellwire, type Setting } from "./support/bellwire-upstream.ts";

const names = catalog.map(({ name }) => name);
const economics = "/api/v2.1/calendar/economics";

/** Three records of each resource. */
async function fill({ has }: Setting): Promise<void> {
  for (const name of names)
    await has(
      name,
      [1, 2, 3].map((id) => recordOf(name, id)),
    );
}

const recordOf = (name: string, id: number, updated = 1_700_000_000) =>
  name === "news" ? { id, title: "a", created: updated, updated } : { id: `r${id}`, date: "2024-11-05", updated };

const countsOf = async ({ store }: Api): Promise<number[]> =>
  Promise.all(catalog.map((resource) => store.count(resource)));

const others = (without: string): number[] => names.map((name) => (name === without ? 0 : 3));

/** The upstream responds differently on some paths. */
function misbehave({ between }: Setting, path: string, respond: (response: ServerResponse) => unknown): void {
  between.instead = (request, response) => {
    if (!request.path.startsWith(path)) return false;
    respond(response);
    return true;
  };
}

const fail = (response: ServerResponse) => response.writeHead(500).end();

/** Follows the upstream until `run` ends. */
async function following({ once }: Setting, run: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const followed = once({ once: false, via: "lists", signal: stop.signal });
  try {
    await run();
  } finally {
    stop.abort();
    await followed;
  }
}

sharingEveryStore("a mirror of an upstream", (test) => {
  test("whose economics always fail follows the other six, and economics when they recover", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      misbehave(setting, economics, fail);
      await following(setting, async () => {
        await waitUntil(async () => `${await countsOf(api)}` === `${others("economics")}`, "the other six are filled");
        // Later than the virtual clock gets, which runs while requests are in flight.
        await setting.has("ratings", [recordOf("ratings", 4, 2_000_000_000)]);
        await waitUntil(async () => (await api.store.count(resourceNamed("ratings"))) === 4, "a change arrives");
        await waitUntil(async () => Object.keys((await setting.status()).errors).length > 0, "the failure is reported");
        const { errors, resources } = await setting.status();
        assert.deepEqual(Object.keys(errors), ["economics"]);
        assert.match(
          errors.economics?.text ?? "",
          /^economics: .*calendar\/economics: status 500; gave up after 6 attempts$/,
        );
        assert.deepEqual(
          resources.filter(({ failing }) => failing).map(({ resource, lag, filled }) => [resource, lag, filled]),
          [["economics", null, false]],
        );
        delete setting.between.instead;
        await waitUntil(async () => (await api.store.count(resourceNamed("economics"))) === 3, "economics arrive");
        await waitUntil(async () => Object.keys((await setting.status()).errors).length === 0, "the error is gone");
      });
      assert.ok(setting.logged.length < 20, setting.logged.join("\n"));
    });
  });

  test("whose economics always fail mirrors the other six with --once and returns which one failed", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      misbehave(setting, economics, fail);
      const { failures } = await setting.once({ via: "lists" });
      assert.deepEqual(failures, [`economics: ${economics}: status 500; gave up after 12 attempts`]);
      assert.deepEqual(await countsOf(api), others("economics"));
      delete setting.between.instead;
      assert.deepEqual((await setting.once({ via: "lists" })).failures, []);
      assert.deepEqual(await countsOf(api), others(""));
    });
  });

  test("that throttles economics, in seconds or until a date, is reported as waiting", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      const { clock } = setting;
      const until = clock.time + 3_600_000;
      let throttled = 0;
      setting.between.instead = ({ path }, response) => {
        if (path !== economics || clock.time >= until) return false;
        const after = throttled++ === 0 ? "60" : new Date(until).toUTCString();
        response.writeHead(429, { "retry-after": after }).end();
        return true;
      };
      await following(setting, async () => {
        await waitUntil(async () => `${await countsOf(api)}` === `${others("")}`, "all seven are filled");
      });
      assert.equal(throttled, 2);
      assert.match(setting.logged.join("\n"), /^economics: .*economics: status 429; attempt 1; waiting 60 s$/m);
    });
  });

  test("whose list of removals fails follows the lists, and reports each resource's removals", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      misbehave(setting, "/api/v2.1/calendar-removed", fail);
      const { failures } = await setting.once({ via: "lists" });
      assert.deepEqual(
        failures.map((text) => text.split(":")[0]).sort(),
        names
          .filter((name) => name !== "news")
          .map((name) => `${name} removals`)
          .sort(),
      );
      assert.deepEqual(await countsOf(api), others(""));
    });
  });

  test("that accepts the token only in the query is read with --token-in auto, whatever its change feed responds", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      for (const status of [401, 404]) {
        setting.between.instead = ({ path, query }, response) => {
          if (query.has("token")) return false;
          response.writeHead(path.startsWith("/changes") ? status : 401).end();
          return true;
        };
        const { failures } = await setting.once({ adopt: true, base: new URL(`/${status}/..`, setting.between.url) });
        assert.deepEqual(failures, []);
        assert.deepEqual(await countsOf(api), others(""));
      }
    });
  });

  test("that has a web page in place of a change feed is read by its lists", async (api) => {
    await mirroringBellwire(api, async (setting) => {
      await fill(setting);
      misbehave(setting, "/changes", (response) => response.writeHead(200).end("<html>Welcome</html>"));
      assert.deepEqual((await setting.once()).failures, []);
      assert.equal((await setting.status()).via, "lists");
      assert.deepEqual(await countsOf(api), others(""));
    });
  });
});
