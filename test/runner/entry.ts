// What the process of a batch runs: its test files, each inside a suite that has its name, so that results can be
// attributed to files, and top-level hooks of a file stay its own.
import { resolve } from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { endProcesses } from "../support/processes.ts";
import { filesVariable } from "./files.ts";

for (const file of JSON.parse(process.env[filesVariable] ?? "[]") as string[])
  describe(file, async () => {
    await import(pathToFileURL(resolve(file)).href);
    after(endProcesses);
  });
