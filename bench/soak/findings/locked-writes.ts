// Writes while another process holds the write lock for long, and while an import takes it repeatedly.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { cli } from "../../contenders/bellwire.ts";
import { liveRecord } from "../../records/live.ts";
import { writeRatings } from "../../records/ratings.ts";
import { benchData, type Stage } from "../stage.ts";
import { failures, ms, type Scenario, under } from "./finding.ts";
import { watching } from "./watch.ts";

const lockSeconds = 12;
const importedRecords = 400_000;

export const lockedWrites: Scenario = {
  name: "writes that wait",
  run: async ({ seconds, say }) => {
    const data = await benchData(say);
    say(`lock of ${lockSeconds} s`);
    const locked = await watching(data, async ({ stage, watch }) => {
      const holder = fork(join(import.meta.dirname, "lock-process.ts"), [stage.database, `${lockSeconds}`]);
      await once(holder, "message");
      const [watched, posted] = await Promise.all([watch(lockSeconds), pause(500).then(() => post(stage, 0))]);
      return { ...watched, posted };
    });
    say("import");
    const importing = await watching(data, async ({ stage, watch }) => {
      const file = join(stage.folder, "ratings.ndjson");
      await writeRatings(file, importedRecords);
      const args = [cli, "import", "ratings", file, "--database", stage.database];
      const importer = spawn(process.execPath, args, { stdio: "ignore" });
      const exited = once(importer, "exit");
      const statuses: string[] = [];
      const timer = setInterval(
        () => void post(stage, statuses.length).then(({ status }) => statuses.push(status)),
        500,
      );
      await pause(1000);
      const watched = await watch(seconds);
      clearInterval(timer);
      const isWhole = importer.exitCode === null;
      importer.kill();
      await exited;
      return { ...watched, statuses, isWhole };
    });
    const refused = importing.statuses.filter((status) => status !== "200").length;
    return [
      under("lock held, /livez", locked.livez, 50),
      under("lock held, lists", locked.lists, 50),
      failures("lock held, lists", locked.lists),
      { what: "lock held, the POST", value: `${locked.posted.status} after ${ms(locked.posted.ms)} ms` },
      under("import and POSTs, /livez", importing.livez, 50),
      under("import and POSTs, lists", importing.lists, 50),
      failures("import and POSTs, lists", importing.lists),
      {
        what: "import and POSTs, POSTs not answered 200",
        value: `${refused} of ${importing.statuses.length}${importing.isWhole ? "" : "; the import ended early"}`,
      },
    ];
  },
};

async function post({ url, keys }: Stage, n: number): Promise<{ status: string; ms: number }> {
  const began = performance.now();
  const status = await fetch(`${url}/admin/v1/records/ratings`, {
    method: "POST",
    headers: { authorization: `Bearer ${keys.write}`, "content-type": "application/json" },
    body: JSON.stringify([liveRecord("ratings", 7, n, 50)]),
  }).then(
    (response) => String(response.status),
    () => "failed",
  );
  return { status, ms: performance.now() - began };
}
