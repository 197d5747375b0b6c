// This package: where it is installed, and its version.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, sep } from "node:path";

const file = findPackageJSON(import.meta.url) ?? "";

export const packageRoot = dirname(file);

/** How this installation runs commands: in a checkout, through npx, or installed. */
export const command = !import.meta.url.includes("/dist/src/")
  ? "npm run -s bellwire --"
  : process.argv[1]?.includes(`node_modules${sep}.bin`)
    ? "npx bellwire"
    : "bellwire";

export const version = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
