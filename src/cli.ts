#!/usr/bin/env node
// The program itself: compiled code is remembered between runs before anything else is loaded, which halves the start.
import { enableCompileCache } from "node:module";

enableCompileCache();
const { run } = await import("./main.ts");
await run(process.argv.slice(2));
