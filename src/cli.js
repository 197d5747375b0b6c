#!/usr/bin/env node
// The entry point. Plain JavaScript with neither imports nor recent syntax: a Node.js too old for the rest must still
// parse it, to say so in one line.

// "engines" in package.json. SQLite in earlier releases of 24 can't bind a numbered parameter that occurs twice.
const oldest = [24, 11];
const [major, minor] = process.versions.node.split(".").map(Number);

if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) start();
else {
  const remedy = !import.meta.url.endsWith("/dist/src/cli.js")
    ? "Run npm ci, which installs one for this checkout."
    : "Install one from https://nodejs.org and put it first in PATH.";
  process.stderr.write(
    `bellwire needs Node.js ${oldest.join(".")} or newer; this is ${process.version} (${process.execPath}). ${remedy}\n`,
  );
  process.exitCode = 1;
}

/** Caches compiled code before anything else is loaded, which halves the startup time. */
async function start() {
  const { enableCompileCache } = await import("node:module");
  const { directory } = enableCompileCache();
  // Inherited by the reader thread, which would otherwise compile the program again and hold 25 MB for it.
  if (directory !== undefined && process.env.NODE_COMPILE_CACHE === undefined)
    process.env.NODE_COMPILE_CACHE = directory;
  const { run } = await import("./main.ts");
  await run(process.argv.slice(2));
}
