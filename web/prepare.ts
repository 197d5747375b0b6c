// After an install: builds the page where its tools are there. An install without them leaves the page as it is.
import { fileURLToPath } from "node:url";

const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));

const vite = await import("vite").catch(() => undefined);
await vite?.build({ configFile, logLevel: "warn" });
