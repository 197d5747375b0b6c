// `config` prints every setting and its source, and no secret.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { settings } from "../../src/config.ts";
import { bellwire, bellwireWrites } from "./support/bellwire.ts";

type Shown = { setting: string; value: string | null; from: string };

const shown = async (args: readonly string[], env: Record<string, string> = {}): Promise<Map<string, Shown>> => {
  const all = JSON.parse(await bellwireWrites(["config", "--json", ...args], { env })) as Shown[];
  return new Map(all.map((each) => [each.setting, each]));
};

describe("config", () => {
  test("shows every setting with its default, or null where it depends on the database", async () => {
    const all = await shown([]);
    assert.deepEqual([...all.keys()].sort(), Object.keys(settings).sort());
    assert.deepEqual(all.get("port"), { setting: "port", value: "8080", from: "default" });
    assert.deepEqual(all.get("zone"), { setting: "zone", value: null, from: "default" });
  });

  test("shows whether a value comes from a flag or a variable", async () => {
    const all = await shown(["--port", "81", "--no-demo"], { BELLWIRE_PORT: "82", BELLWIRE_WORKERS: "3" });
    assert.deepEqual(all.get("port"), { setting: "port", value: "81", from: "--port" });
    assert.deepEqual(all.get("demo"), { setting: "demo", value: "false", from: "--no-demo" });
    assert.deepEqual(all.get("workers"), { setting: "workers", value: "3", from: "BELLWIRE_WORKERS" });
  });

  test("never shows a password or a key, in a table or as JSON", async () => {
    const env = {
      BELLWIRE_DATABASE: "postgres://user:hidden-1@db.example:5432/news?sslpassword=hidden-2",
      BELLWIRE_REPLICAS: "postgres://user:hidden-3@one.example/news,postgres://:hidden-4@two.example/news",
      BELLWIRE_MIRROR: "https://upstream.example",
      BELLWIRE_MIRROR_TOKEN: "hidden-5",
    };
    for (const args of [[], ["--json"]]) {
      const text = await bellwireWrites(["config", ...args], { env, ownProcess: args.length === 0 });
      assert.doesNotMatch(text, /hidden/);
      for (const shown of ["user@db.example:5432/news", "one.example", "two.example", "https://upstream.example"])
        assert.ok(text.includes(shown), shown);
    }
  });

  test("reports an invalid value like serve", async () => {
    const { status, stderr } = await bellwire(["config", "--port", "x"]);
    assert.deepEqual([status, stderr], [2, 'bellwire: --port: expected a number from 0 to 65535, got "x"\n']);
  });
});
