// The lock that a load holds: the process's other writes wait for it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openDatabase } from "../../src/store/sqlite/database.ts";

const program = new URL("../../src/sqlite-thread.ts", import.meta.url);

test("a write that waits for a load also waits for the load that begins next [sqlite]", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-lock-"));
  const database = openDatabase({ file: join(folder, "records.db"), program });
  try {
    await database.prepare();
    const done: string[] = [];
    const first = await database.lockWrites();
    const next = database.lockWrites();
    const written = database.write("setMetadata", "a", "b").then(() => done.push("write"));
    first.unlock();
    const second = await next;
    // A second call of it must not unlock the next load.
    first.unlock();
    // In the same thread: it would come after the write.
    await second.call("setMetadata", "c", "d");
    done.push("load");
    second.unlock();
    await written;
    assert.deepEqual(done, ["load", "write"]);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
});
