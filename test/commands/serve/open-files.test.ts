// A limit of open files that is too low for the settings is reported before connections fail, by `serve` and by `doctor`.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkOpenFiles } from "../../../src/commands/checks/open-files.ts";
import { configure } from "../../../src/config.ts";
import { bellwire, freshDatabase, serving } from "../support/bellwire.ts";

const skip = process.platform === "win32" && "there is no such limit on Windows";
const found = "a process may open 256 files and may need 1136: 1000 for connections, 72 for databases, 64 for itself";
const advice = "raise the limit (ulimit -n 1136, or LimitNOFILE=1136 in the systemd unit), or lower --connections";

async function warnings(args: readonly string[]): Promise<string[]> {
  const flags = ["--database", freshDatabase(), "--no-demo", "--log-level", "fatal", ...args];
  const server = await serving(flags, { openFiles: 256 });
  const { status, stderr } = await server.stop();
  assert.equal(status, 0);
  return stderr.split("\n").filter((line) => line.startsWith("warning:"));
}

describe("an open file limit", { skip }, () => {
  test("that is too low is reported once at startup, with what is needed and how to get it", async () => {
    for (const workers of ["1", "2"])
      assert.deepEqual(await warnings(["--connections", "1000", "--workers", workers]), [
        `warning: ${found}; ${advice}`,
      ]);
  });

  test("that is high enough, or for unlimited connections, is not mentioned", async () => {
    for (const connections of ["100", "0"]) assert.deepEqual(await warnings(["--connections", connections]), []);
  });

  test("is checked by doctor, with the same message", async () => {
    const flags = ["doctor", "--json", "--port", "1", "--database", freshDatabase(), "--connections"];
    const findingsOf = async (connections: string) => {
      const { stdout } = await bellwire([...flags, connections], { ownProcess: true, openFiles: 256 });
      return (JSON.parse(stdout) as { check: string; level: string }[]).filter(({ check }) => check === "settings");
    };
    assert.deepEqual(await findingsOf("1000"), [{ check: "settings", level: "warning", found, advice }]);
    assert.deepEqual(
      (await findingsOf("100")).map(({ level }) => level),
      ["ok"],
    );
  });

  test("must leave room for the connections to every database server", () => {
    const database = "postgres://db.example/bellwire";
    const replicas = "postgres://one.example/bellwire,postgres://two.example/bellwire";
    const config = configure({ database, replicas, connections: "1000", "pool-size": "20" }, {});
    const needed = 1000 + 3 * 21 + 64;
    assert.match(checkOpenFiles(config, needed - 1)?.found ?? "", /1000 for connections, 63 for databases/);
    assert.equal(checkOpenFiles(config, needed), undefined);
  });
});
