// `bellwire check` finds what is broken: each mutant breaks one thing, and the check that must find it does. Only that one
// is run, since all of them send hundreds of requests.
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

  const check = (list: string, only: readonly string[]) =>
    checkServer({
      base: broken.url,
      token: server.token,
      profile: "seed",
      lists: catalog.filter(({ name }) => name === list),
      only,
      compatTable,
    });

  for (const [list, those] of Map.groupBy(mutants, (mutant) => mutant.list)) {
    // That a server without the proxy passes all checks is another test.
    test(`passes the same checks of ${list} while nothing is broken`, async () => {
      broken.mutant = undefined;
      const { results } = await check(list, [...new Set(those.map((mutant) => mutant.check))]);
      assert.deepEqual(
        results.flatMap(({ findings }) => findings),
        [],
      );
      assert.ok(results.every(({ requests, skipped }) => requests > 0 && skipped === undefined));
    });
  }

  for (const mutant of mutants) {
    test(`is found if it ${mutant.name}`, async () => {
      broken.mutant = mutant;
      const { results } = await check(mutant.list, [mutant.check]);
      const found = results.filter(({ findings }) => findings.length > 0).map((each) => each.check);
      assert.ok(found.includes(mutant.check), `found by: ${found.join(", ") || "no check"}`);
      for (const { request } of results.flatMap(({ findings }) => findings)) {
        assert.match(request, /^curl .*http:\/\/127\.0\.0\.1/);
        assert.ok(!request.includes(server.token), request);
      }
    });
  }
});
