// The receivers on the page about webhooks verify what is delivered, reject what is not, and ignore repetitions.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { describe, test } from "node:test";
import { startApi } from "../support/clients/api.ts";
import { waitUntil } from "../support/wait-until.ts";
import { administering, localSending, startDelivering } from "../webhooks/support/delivering.ts";
import { blocks, lacking } from "./page-commands.ts";

const page = "docs/webhooks.md";

const receivers = [
  { language: "ts", program: process.execPath, flags: ["--input-type=module-typescript", "--eval"] },
  { language: "python", program: "python3", flags: ["-c"] },
] as const;

for (const { language, program, flags } of receivers)
  describe(`receivers in ${language}`, () => {
    test("receivers on the page verify what is delivered, and reject what is forged", {
      skip: lacking(program),
    }, async () => {
      const [code = "", ...others] = blocks(page, language);
      assert.deepEqual(others, []);
      const api = await startApi();
      api.clock.now = Math.floor(Date.now() / 1000);
      const request = await administering(api);
      const { id, secret } = (await request("POST", "", { url: "http://127.0.0.1:1/", resource: "ratings" })).json;
      const receiver = spawn(program, [...flags, code], { env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" } });
      let printed = "";
      receiver.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
      receiver.stderr.pipe(process.stderr);
      let delivering: ReturnType<typeof startDelivering> | undefined;
      try {
        await waitUntil(() => /\d{4,}/.test(printed), "the receiver listens");
        const url = `http://127.0.0.1:${/\d{4,}/.exec(printed)?.[0]}/hooks`;
        assert.equal((await request("PATCH", `/${id}`, { url })).status, 200);
        // Not before: an event sent to the first URL would be retried by a clock that stands still.
        delivering = startDelivering(api, localSending);
        await api.has("ratings", [{ id: "a" }]);
        await waitUntil(() => printed.includes("ratings.created a\n"), "the first event");
        const tested = (await request("POST", `/${id}/test`)).json;
        assert.equal(tested.delivered, true, tested.response);
        const forged = await fetch(url, {
          method: "POST",
          body: '{"type":"ratings.created","data":{"id":"forged"}}',
          headers: {
            "webhook-id": "msg_1",
            "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
            "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          },
        });
        assert.equal(forged.status, 400);
        assert.equal((await fetch(url, { method: "POST", body: "{}" })).status, 400);
        await request("POST", `/${id}/replay`, { since: "start" });
        await api.has("ratings", [{ id: "b" }]);
        await waitUntil(() => printed.includes("ratings.created b\n"), "the second event");
        const events = printed.split("\n").filter((line) => line.startsWith("ratings."));
        assert.deepEqual(events, ["ratings.created a", "ratings.created b"]);
        assert.doesNotMatch(printed, /forged/);
      } finally {
        receiver.kill();
        await delivering?.stop();
        await api.close();
      }
    });
  });
