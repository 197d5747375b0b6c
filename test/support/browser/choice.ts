// Which browser the tests use on a machine: a pure function of platform, environment, and files, so that every platform
// is tested on any machine.
import { posix, win32 } from "node:path";

export type Machine = {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  isExecutable(file: string): boolean;
  /** Names in a directory; none if it doesn't exist. */
  list(directory: string): readonly string[];
};

export type BrowserChoice =
  | { readonly kind: "installed" | "playwright"; readonly executablePath: string }
  /** The Chromium of the npm package, which has to be unpacked first. */
  | { readonly kind: "npm" }
  | { readonly kind: "none"; readonly reason: string };

const commands = [
  // Built for this: a third less CPU time than the whole browser without a window.
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];

export function chooseBrowser(machine: Machine): BrowserChoice {
  const { platform, arch, env } = machine;
  const named = env.BELLWIRE_TEST_BROWSER ?? "";
  if (named !== "") {
    if (machine.isExecutable(named)) return { kind: "installed", executablePath: named };
    return {
      kind: "none",
      reason: `BELLWIRE_TEST_BROWSER is "${named}", expected the path of an executable Chromium or Chrome`,
    };
  }
  const installed = [...onPath(machine), ...usualLocations(machine)].find((file) => machine.isExecutable(file));
  if (installed !== undefined) return { kind: "installed", executablePath: installed };
  const playwright = playwrightBrowsers(machine).find((file) => machine.isExecutable(file));
  if (playwright !== undefined) return { kind: "playwright", executablePath: playwright };
  if (platform === "linux" && arch === "x64") return { kind: "npm" };
  return { kind: "none", reason: `no Chromium or Chrome is installed on this machine (${platform}-${arch})` };
}

const pathsOf = ({ platform }: Machine) => (platform === "win32" ? win32 : posix);

function onPath(machine: Machine): string[] {
  const { delimiter, join } = pathsOf(machine);
  const extension = machine.platform === "win32" ? ".exe" : "";
  const directories = (variable(machine, "PATH") ?? "").split(delimiter).filter((directory) => directory !== "");
  return commands.flatMap((command) => directories.map((directory) => join(directory, `${command}${extension}`)));
}

function usualLocations(machine: Machine): string[] {
  const { join } = pathsOf(machine);
  if (machine.platform === "darwin") {
    const applications = ["/Applications", ...under(machine, "HOME", "Applications")];
    return ["Chromium", "Google Chrome", "Microsoft Edge"].flatMap((name) =>
      applications.map((directory) => join(directory, `${name}.app`, "Contents", "MacOS", name)),
    );
  }
  if (machine.platform === "win32") {
    const bases = ["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((base) => under(machine, base));
    return ["Chromium\\Application\\chrome.exe", "Google\\Chrome\\Application\\chrome.exe"]
      .concat("Microsoft\\Edge\\Application\\msedge.exe")
      .flatMap((file) => bases.map((base) => join(base, file)));
  }
  return ["/snap/bin/chromium", "/opt/google/chrome/chrome"];
}

/** Where a build of Playwright has its executable: by platform and age, the full browser and the one without windows. */
const executables: Readonly<Record<string, readonly string[]>> = {
  linux: ["linux", "linux64", "linux-arm64", "headless-shell-linux64", "headless-shell-linux-arm64"].flatMap((name) => [
    `chrome-${name}/chrome`,
    `chrome-${name}/headless_shell`,
    `chrome-${name}/chrome-headless-shell`,
  ]),
  darwin: ["mac", "mac-x64", "mac-arm64", "headless-shell-mac-x64", "headless-shell-mac-arm64"].flatMap((name) => [
    `chrome-${name}/Chromium.app/Contents/MacOS/Chromium`,
    `chrome-${name}/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing`,
    `chrome-${name}/headless_shell`,
    `chrome-${name}/chrome-headless-shell`,
  ]),
  win32: ["win", "win64", "headless-shell-win64"].flatMap((name) => [
    `chrome-${name}\\chrome.exe`,
    `chrome-${name}\\headless_shell.exe`,
    `chrome-${name}\\chrome-headless-shell.exe`,
  ]),
};

/** Candidates of Playwright's own directory, newest revision first. */
function playwrightBrowsers(machine: Machine): string[] {
  const { join } = pathsOf(machine);
  const named = variable(machine, "PLAYWRIGHT_BROWSERS_PATH") ?? "";
  const caches: Readonly<Record<string, string[]>> = {
    linux: [...under(machine, "XDG_CACHE_HOME"), ...under(machine, "HOME", ".cache")],
    darwin: under(machine, "HOME", "Library", "Caches"),
    win32: under(machine, "LOCALAPPDATA"),
  };
  // "0" is Playwright's own word for a directory inside its package.
  const directories =
    named !== "" && named !== "0"
      ? [named]
      : (caches[machine.platform] ?? []).map((cache) => join(cache, "ms-playwright"));
  return directories.flatMap((directory) =>
    machine
      .list(directory)
      .flatMap((name) => {
        const revision = /^chromium(?:_headless_shell)?-(\d+)$/.exec(name)?.[1];
        return revision === undefined ? [] : [{ name, revision: Number(revision) }];
      })
      .toSorted((a, b) => b.revision - a.revision || a.name.length - b.name.length)
      .flatMap(({ name }) => (executables[machine.platform] ?? []).map((file) => join(directory, name, file))),
  );
}

const under = (machine: Machine, name: string, ...rest: string[]): string[] => {
  const base = variable(machine, name) ?? "";
  return base === "" ? [] : [pathsOf(machine).join(base, ...rest)];
};

/** On Windows, names of variables have no case. */
function variable({ platform, env }: Machine, name: string): string | undefined {
  if (platform !== "win32") return env[name];
  return Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1];
}
