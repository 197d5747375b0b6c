// This package: where it is installed, and its version.
import { readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname } from "node:path";

const file = findPackageJSON(import.meta.url) ?? "";

export const packageRoot = dirname(file);

export const version = (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
