// Where the web page is built, in a checkout and in the installed package alike.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./package.ts";

export const pageFolder = join(packageRoot, "dist", "page", "/");

export const isPageBuilt = (): boolean => existsSync(`${pageFolder}index.html`);
