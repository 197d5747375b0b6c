// What the process of a batch runs: its test files, each inside a suite that has its name, so that results can be
// attributed to files, and top-level hooks of a file stay its own.
import { resolve } from "node:path";
import { after, describe } from "node:test";
import { pathToFileURL } from "node:url";
import { endProcesses } from "../support/processes.ts";
import { filesVariable } from "./files.ts";
import { endTracking } from "./tracking.ts";

const files = JSON.parse(process.env[filesVariable] ?? "[]") as string[];
let loaded = 0;
for (const file of files)
  describe(file, async () => {
    try {
      await import(pathToFileURL(resolve(file)).href);
      after(endProcesses);
    } finally {
      loaded++;
      if (loaded === files.length) endTracking();
    }
  });
