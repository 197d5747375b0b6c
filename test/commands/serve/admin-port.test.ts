// `serve --admin-port` serves admin endpoints on a separate port only.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, test } from "node:test";
import { bellwire, freshDatabase, keyOn, serving } from "../support/bellwire.ts";

/** A port on which another program listens. */
async function takenPort() {
  const other = createServer();
  await once(other.listen(0, "127.0.0.1"), "listening");
  const { port } = other.address() as AddressInfo;
  return { port: String(port), [Symbol.asyncDispose]: () => other[Symbol.asyncDispose]() };
}

describe("serve --admin-port", () => {
  for (const workers of ["1", "2"]) {
    test(`prints the admin address and serves admin endpoints only there, with ${workers} serving`, async () => {
      const database = freshDatabase();
      const key = await keyOn(database, "boss", ["read", "admin"]);
      const flags = ["--database", database, "--no-demo", "--log-level", "warn", "--workers", workers];
      const server = await serving([...flags, "--admin-port", "0"]);
      const admin = /^administration on (\S+)$/m.exec(server.output.stdout)?.[1] ?? "";
      assert.match(admin, /^http:\/\/127\.0\.0\.1:\d+$/);
      const request = async (url: string) => (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status;
      assert.equal(await request(`${admin}/admin/v1/keys`), 200);
      assert.equal(await request(`${server.url}/admin/v1/keys`), 404);
      assert.equal(await request(`${server.url}/api/v2/news`), 200);
      const { status, stderr } = await server.stop();
      assert.deepEqual([status, stderr], [0, ""]);
    });
  }

  test("reports that the port is in use", async () => {
    const database = freshDatabase();
    await using taken = await takenPort();
    const { port } = taken;
    const run = await bellwire([
      ...["serve", "--database", database, "--no-demo", "--log-level", "warn"],
      ...["--port", "0", "--admin-port", port],
    ]);
    assert.equal(run.status, 1);
    assert.equal(
      run.stderr,
      `bellwire: --admin-port: 127.0.0.1:${port} is in use by another program; expected a free port, or 0 to choose one\n`,
    );
  });

  test("reports once that the other port is in use, and starts no worker again", async () => {
    const database = freshDatabase();
    await using taken = await takenPort();
    const { port } = taken;
    for (const workers of ["1", "2"]) {
      const run = await bellwire([
        ...["serve", "--database", database, "--no-demo", "--log-level", "warn", "--workers", workers],
        ...["--port", port, "--admin-port", "0"],
      ]);
      assert.equal(run.status, 1);
      assert.match(
        run.stderr,
        new RegExp(`^bellwire: --port: 127\\.0\\.0\\.1:${port} is in use by another program`, "m"),
      );
      assert.equal(run.stderr.match(/^bellwire: /gm)?.length, 1, run.stderr);
      assert.doesNotMatch(run.stderr, /starting another|\n\s+at /);
    }
  });

  test("rejects the same port for both, once, before anything is started", async () => {
    const ports = ["--port", "18080", "--admin-port", "18080"];
    const { status, stderr } = await bellwire(["serve", "--database", freshDatabase(), ...ports, "--workers", "2"], {
      ownProcess: false,
    });
    assert.equal(status, 2);
    assert.equal(stderr, 'bellwire: --admin-port: expected a port other than --port, got "18080" for both\n');
  });

  test("rejects an invalid port", async () => {
    const { status, stderr } = await bellwire(["serve", "--admin-port", "x"], { ownProcess: false });
    assert.equal(status, 2);
    assert.match(stderr, /--admin-port: expected a number from 0 to 65535, or empty, got "x"/);
  });
});
