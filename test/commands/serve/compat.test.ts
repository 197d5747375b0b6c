// `serve --compat` and BELLWIRE_COMPAT serve clients of other implementations, with several workers too.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bellwire, freshDatabase, keyOn, serving } from "../support/bellwire.ts";

describe("serve --compat", () => {
  // That it is off by default is checked with the server of serve.test.ts that starts empty.
  test("is on with the flag or the variable, and passed on to workers", async () => {
    const database = freshDatabase();
    const key = await keyOn(database, "old-client", ["read"]);
    const cases: [string[], Record<string, string>][] = [
      [["--compat"], {}],
      [["--workers", "2"], { BELLWIRE_COMPAT: "true" }],
    ];
    for (const [flags, env] of cases) {
      const server = await serving(["--database", database, "--no-demo", "--log-level", "warn", ...flags], { env });
      const { status } = await fetch(`${server.url}/api/v1/calendar/ratings/?token=${key}&page_size=5000`);
      assert.equal(status, 200, `${flags}`);
      await server.stop();
    }
  });

  test("config shows it, and rejects any other value of the variable", async () => {
    const { stdout } = await bellwire(["config", "--compat"]);
    assert.match(stdout, /^compat +true\b.*--compat/m);
    const { status, stderr } = await bellwire(["config"], { env: { BELLWIRE_COMPAT: "yes" } });
    assert.equal(status, 2);
    assert.match(stderr, /BELLWIRE_COMPAT: expected one of true, false, got "yes"/);
  });
});
