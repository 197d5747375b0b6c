// `links` as operators use it: create, list, revoke; and copies of databases include links.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { startApi } from "../../support/clients/api.ts";
import { bellwire, bellwireWrites, freshDatabase, keyOn } from "../support/bellwire.ts";

const list = "/api/v2.1/calendar/ratings?parameters[tickers]=ACME&output=csv";
const linkForm = /^\/links\/bw_link_[0-9A-Za-z]{38}\/ratings\.csv\n$/;

describe("links", () => {
  test("are created, served, listed without their token, copied with a database, and revoked", async () => {
    const api = await startApi();
    try {
      await api.has("ratings", [{ id: "a", ticker: "ACME" }]);
      await api.key({ name: "acme" });
      const links = (...args: string[]) => bellwireWrites(["links", ...args, "--database", api.file]);
      const made = await links("create", `https://example.com${list}`, "--key", "acme", "--name", "desk");
      assert.match(made, linkForm);
      const url = made.trimEnd();
      assert.match((await api.request(url)).text, /ACME/);
      const [head, row = ""] = (await links("list")).split("\n");
      assert.match(head ?? "", /^ID +NAME +KEY +STATE +REQUESTS +LAST USED +LIST$/);
      assert.match(row, /^[0-9a-f-]{13} +desk +acme +valid +\d +.*\/api\/v2\.1\/calendar\/ratings\?parameters/);
      assert.ok(!readFileSync(api.file).includes(url.split("/")[2] ?? ""));
      const copy = freshDatabase();
      assert.match(await bellwireWrites(["copy", "--from", api.file, "--to", copy]), /^same {2}links: 1 and 1/m);
      const [id = ""] = row.split(" ");
      assert.equal(await links("revoke", id), `revoked ${id}\n`);
      assert.equal((await api.request(url)).status, 404);
      const again = await bellwire(["links", "revoke", id, "--database", api.file]);
      assert.deepEqual([again.status, again.stdout], [1, ""]);
      assert.match(again.stderr, /no valid link has the ID/);
    } finally {
      await api.close();
    }
  });

  test("reject what they can't serve, and say what is expected", async () => {
    const database = freshDatabase();
    await keyOn(database, "acme");
    for (const [args, message] of [
      [["create"], "links create: expected the 'URL' of a list, in quotes"],
      [["create", list], "--key: expected the name of a key, got nothing"],
      [["create", list, "--key", "nobody"], '--key: expected the name of a valid key, got "nobody"'],
      [["create", "/api/v2/weather", "--key", "acme"], "URL: expected the URL of a list, such as "],
      [["create", "/api/v2/news?pageSize=0", "--key", "acme"], 'pageSize: expected an integer from 1 to 100, got "0"'],
      [["revoke"], "links revoke: expected the ID of a link"],
      [["remove"], 'links: expected create, list, revoke, got "remove"'],
    ] as const) {
      const { status, stderr } = await bellwire(["links", ...args, "--database", database]);
      assert.equal(status, 2, stderr);
      assert.ok(stderr.includes(message), stderr);
    }
  });
});
