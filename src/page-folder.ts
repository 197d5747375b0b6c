// Where the built page lies: beside the compiled program, for source and package alike.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const pageFolder = fileURLToPath(new URL("../dist/page/", import.meta.url));

export const isPageBuilt = (): boolean => existsSync(`${pageFolder}index.html`);
