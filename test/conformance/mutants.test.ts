// `bellwire check` finds what is broken: each mutant breaks one thing, and the check that must find it does.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkServer } from "../../src/conformance/run.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { startBellwire, type TestServer } from "../../testing/index.ts";
import { type BrokenServer, breakServer } from "./broken-server.ts";
import { demoSample } from "./demo-records.ts";
import { mutants } from "./mutants/mutants.ts";

describe("a broken server", () => {
  let server: TestServer;
  let broken: BrokenServer;
  before(async () => {
    server = await startBellwire(demoSample());
    broken = await breakServer(server.url);
  });
  after(async () => {
    broken.close();
    await server.close();
  });

  const check = (list: string) =>
    checkServer({
      base: broken.url,
      token: server.token,
      profile: "seed",
      lists: catalog.filter(({ name }) => name === list),
      compatTable,
    });

  test("conforms behind the proxy while nothing is broken", async () => {
    broken.mutant = undefined;
    const { results } = await check("news");
    assert.deepEqual(
      results.flatMap(({ findings }) => findings),
      [],
    );
  });

  for (const mutant of mutants) {
    test(`is found if it ${mutant.name}`, async () => {
      broken.mutant = mutant;
      const { results } = await check(mutant.list);
      const found = results.filter(({ findings }) => findings.length > 0).map((each) => each.check);
      assert.ok(found.includes(mutant.check), `found by: ${found.join(", ") || "no check"}`);
      for (const { request } of results.flatMap(({ findings }) => findings)) {
        assert.match(request, /^curl .*http:\/\/127\.0\.0\.1/);
        assert.ok(!request.includes(server.token), request);
      }
    });
  }
});
