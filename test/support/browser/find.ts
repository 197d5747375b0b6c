// Prints the browser that tests use here, or why there is none, and then exits with 1.
import { findBrowser, noBrowser } from "./probe.ts";

const probe = await findBrowser();
process.stdout.write("launch" in probe ? `${probe.launch.executablePath}\n` : `${noBrowser}${probe.reason}\n`);
process.exitCode = "launch" in probe ? 0 : 1;
