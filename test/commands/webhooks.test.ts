// `webhooks` on the command line: from its creation to its removal, and what goes wrong.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Webhook } from "standardwebhooks";
import { startReceiver } from "../webhooks/support/receiver.ts";
import { bellwire, bellwireWrites, freshDatabase, keyOn } from "./support/bellwire.ts";

const allowed = ["--webhook-networks", "127.0.0.1"];

describe("webhooks", () => {
  test("a webhook is created, shown, tested, changed, rotated, replayed, and removed", async () => {
    const database = freshDatabase();
    await keyOn(database, "acme");
    const receiver = await startReceiver();
    const run = (...args: string[]) => bellwireWrites(["webhooks", ...args, "--database", database, ...allowed]);
    const created = await bellwire([
      ...["webhooks", "create", "ratings", "parameters[tickers]=F,GM", "--url", receiver.url, "--key", "acme"],
      ...["--database", database, ...allowed],
    ]);
    assert.equal(created.status, 0, created.stderr);
    assert.match(created.stdout, /^whsec_[0-9A-Za-z+/]{43}=\n$/);
    const id =
      /Created the webhook (wh_[0-9a-f]{16})\. Its secret is shown only once\.\n/.exec(created.stderr)?.[1] ?? "";
    const listed = await run("list");
    assert.match(
      listed,
      new RegExp(`^${id}  active +ratings +parameters\\[tickers\\]=F,GM +${receiver.url} +0 s +0 +-$`, "m"),
    );
    assert.ok(!listed.includes("whsec_"));
    assert.match(await run("test", id), /^delivered: status 204 after \d+ ms\n$/);
    const [message] = receiver.received;
    assert.deepEqual(
      new Webhook(created.stdout.trim()).verify(message?.text ?? "", message?.headers ?? {}),
      message?.body,
    );
    receiver.respond(() => ({ status: 500, body: "no" }));
    const failed = await bellwire(["webhooks", "test", id, "--database", database, ...allowed]);
    assert.deepEqual([failed.status, /^FAILED: status 500 after \d+ ms: no\n$/.test(failed.stdout)], [1, true]);
    const shown = await run("show", id);
    assert.match(shown, /^key +acme$/m);
    assert.match(shown, /webhook\.test +1 +500 +\d+ ms +no$/m);
    assert.match(await run("update", id, "--state", "paused"), /^state +paused$/m);
    await run("update", id, "--url", "http://127.0.0.1:1/");
    const refused = await bellwire(["webhooks", "test", id, "--database", database, ...allowed]);
    assert.deepEqual([refused.status, refused.stdout], [1, "FAILED: connect ECONNREFUSED 127.0.0.1:1\n"]);
    assert.match(await run("rotate", id, "--grace", "1"), /^whsec_\S+\n$/);
    assert.match(await run("show", id), /^rotating_until +20\d\d-/m);
    assert.match(await run("replay", id, "--since", "start"), /^state +active$/m);
    assert.equal(await run("remove", id), `removed ${id}\n`);
    const gone = await bellwire(["webhooks", "show", id, "--database", database]);
    assert.deepEqual(
      [gone.status, gone.stderr],
      [1, `webhooks show: no webhook has the ID "${id}"; see: bellwire webhooks list\n`],
    );
    await receiver.close();
  });

  test("errors name the argument or flag, and what was expected", async () => {
    const database = freshDatabase();
    await keyOn(database);
    for (const [args, expected] of [
      [[], /webhooks: expected create, list, show, update, test, replay, rotate, remove, got nothing/],
      [["show"], /webhooks show: expected the ID of a webhook/],
      [["create", "rating", "--url", "https://192.0.2.1"], /RESOURCE: expected one of news, ratings, .*, got "rating"/],
      [["create", "ratings"], /--url: expected an https:\/\/ or http:\/\/ URL/],
      [["create", "ratings", "--url", "http://127.0.0.1"], /a public address or one in --webhook-networks, got "http/],
      [["create", "ratings", "page=1", "--url", "https://192.0.2.1"], /page: expected to be absent, because a stream/],
      [["create", "ratings", "--url", "https://192.0.2.1", "--since", "x"], /--since: expected start, or the position/],
      [
        ["create", "ratings", "--url", "https://192.0.2.1", "--key", "x"],
        /--key: expected the name of a valid key, got "x"/,
      ],
      [["update", "wh_0"], /webhooks update: expected --url or --state/],
    ] as const) {
      const { status, stderr } = await bellwire(["webhooks", ...args, "--database", database]);
      assert.equal(status, 2, stderr);
      assert.match(stderr, expected);
    }
  });
});
