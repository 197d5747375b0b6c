// Builds the page after an install with development dependencies.
import { fileURLToPath } from "node:url";

const configFile = fileURLToPath(new URL("vite.config.ts", import.meta.url));

const vite = await import("vite").catch(() => undefined);
await vite?.build({ configFile, logLevel: "warn" });
