// `bellwire mcp` with the official client over standard input and output.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bellwire } from "../commands/support/bellwire.ts";
import { startApi } from "../support/clients/api.ts";

describe("MCP over stdio", () => {
  test("a client lists the tools and calls them on a running server; a wrong key is reported by each call", async () => {
    const api = await startApi();
    const clients: Client[] = [];
    try {
      await api.has("ratings", [{ id: "r1", ticker: "AAPL", name: "Apple Inc.", date: "2026-01-05" }]);
      const url = `http://127.0.0.1:${await api.port()}`;
      const connect = async (token: string) => {
        const client = new Client({ name: "test", version: "1" });
        clients.push(client);
        const env = { BELLWIRE_TOKEN: token };
        await client.connect(
          new StdioClientTransport({
            command: process.execPath,
            args: ["src/cli.js", "mcp", url],
            env,
            stderr: "inherit",
          }),
        );
        return client;
      };
      const search = { name: "find_companies", arguments: { search: "app" } };
      const client = await connect(api.token);
      assert.equal((await client.listTools()).tools.length, 6);
      const [{ text }] = (await client.callTool(search)).content as unknown as [{ text: string }];
      assert.deepEqual(JSON.parse(text).rows, [["Apple Inc.", "ratings", "AAPL"]]);
      const stranger = await connect("wrong");
      const refused = await stranger.callTool(search);
      assert.equal(refused.isError, true);
      assert.match(JSON.stringify(refused.content), /key\.unknown|401/);
    } finally {
      // They end the processes that they have started.
      for (const client of clients) await client.close();
      await api.close();
    }
  });

  test("the command needs a URL and a key", async () => {
    const missing = await bellwire(["mcp", "http://127.0.0.1:1"]);
    assert.deepEqual(
      [missing.status, missing.stderr],
      [2, "bellwire: --token or BELLWIRE_TOKEN: expected an API key\n"],
    );
    assert.equal((await bellwire(["mcp"])).status, 2);
  });
});
