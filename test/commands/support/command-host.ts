// Runs command lines one after another in one process, each with its own standard streams, variables, and folder: most
// of what a process per command would cost is loading the program. Tests talk to it through hosted.ts.
import { Readable, Writable } from "node:stream";
import { run } from "../../../src/main.ts";
import type { Order, Outcome } from "./hosted.ts";

// Commands that wait for signals add listeners and end with their process.
process.setMaxListeners(0);

function collector() {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write: (piece: Buffer, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(pieces).toString("utf8") };
}

async function execute({ id, args, input, env, cwd }: Order): Promise<Outcome> {
  const [stdout, stderr] = [collector(), collector()];
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: stdout.stream, stderr: stderr.stream };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true, writable: true });
  Object.assign(process.env, env);
  process.chdir(cwd);
  try {
    await run(args);
    return { id, status: Number(process.exitCode), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = undefined;
    for (const name of Object.keys(env)) delete process.env[name];
  }
}

let last = Promise.resolve();
process.on("disconnect", () => process.exit());
process.on("message", (order: Order) => {
  last = last.then(async () => void process.send?.(await execute(order)));
});
