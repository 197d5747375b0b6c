// Which browser is chosen on every platform, by the files and the environment of a machine alone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { chooseBrowser } from "./choice.ts";

type Machine = {
  readonly on: string;
  readonly env?: Record<string, string>;
  /** Executable files; directories are listed from them. */
  readonly files?: readonly string[];
};

function chosen({ on, env = {}, files = [] }: Machine) {
  const [platform = "", arch = ""] = on.split("-");
  const separator = platform === "win32" ? "\\" : "/";
  return chooseBrowser({
    platform,
    arch,
    env,
    isExecutable: (file) => files.includes(file),
    list: (directory) =>
      files
        .filter((file) => file.startsWith(`${directory}${separator}`))
        .map((file) => file.slice(directory.length + 1).split(separator)[0] as string),
  });
}

const every = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];

describe("the browser in BELLWIRE_TEST_BROWSER", () => {
  test("takes precedence over any other", () => {
    for (const on of every) {
      const env = { BELLWIRE_TEST_BROWSER: "/mine/chrome", PATH: "/usr/bin" };
      assert.deepEqual(
        chosen({ on, env, files: ["/mine/chrome", "/usr/bin/chromium"] }),
        { kind: "installed", executablePath: "/mine/chrome" },
        on,
      );
    }
  });

  test("is an error if it isn't an executable file, whatever else is installed", () => {
    for (const on of every) {
      const env = { BELLWIRE_TEST_BROWSER: "/gone/chrome", PATH: "/usr/bin" };
      assert.deepEqual(
        chosen({ on, env, files: ["/usr/bin/chromium"] }),
        {
          kind: "none",
          reason: 'BELLWIRE_TEST_BROWSER is "/gone/chrome", expected the path of an executable Chromium or Chrome',
        },
        on,
      );
    }
  });

  test("is ignored if the variable is empty", () => {
    const env = { BELLWIRE_TEST_BROWSER: "", PATH: "/usr/bin" };
    const file = "/usr/bin/chromium";
    assert.deepEqual(chosen({ on: "linux-arm64", env, files: [file] }), { kind: "installed", executablePath: file });
  });
});

describe("an installed browser", () => {
  const cases: readonly [on: string, env: Record<string, string>, file: string][] = [
    ["linux-x64", { PATH: "/usr/local/bin:/usr/bin" }, "/usr/bin/chromium"],
    ["linux-arm64", { PATH: "/usr/local/bin::/usr/bin" }, "/usr/bin/chromium"],
    ["linux-x64", { PATH: "/usr/bin" }, "/usr/bin/google-chrome-stable"],
    ["linux-arm64", { PATH: "/usr/bin" }, "/usr/bin/chromium-browser"],
    ["linux-x64", {}, "/snap/bin/chromium"],
    ["linux-x64", { PATH: "/usr/bin" }, "/opt/google/chrome/chrome"],
    ["darwin-arm64", { PATH: "/opt/homebrew/bin" }, "/opt/homebrew/bin/chromium"],
    ["darwin-arm64", {}, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"],
    ["darwin-x64", { HOME: "/Users/me" }, "/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"],
    ["win32-x64", { Path: "C:\\Windows;C:\\tools" }, "C:\\tools\\chrome.exe"],
    ["win32-x64", { ProgramFiles: "C:\\Program Files" }, "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe"],
    [
      "win32-arm64",
      { "ProgramFiles(x86)": "C:\\Program Files (x86)" },
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ],
    ["win32-x64", { LOCALAPPDATA: "C:\\me\\Local" }, "C:\\me\\Local\\Chromium\\Application\\chrome.exe"],
  ];
  for (const [on, env, file] of cases)
    test(`${on}: ${file}`, () => {
      assert.deepEqual(chosen({ on, env, files: [file] }), { kind: "installed", executablePath: file });
    });

  test("is Chromium rather than Chrome, wherever on the path they are", () => {
    const files = ["/a/google-chrome", "/b/chromium"];
    const found = chosen({ on: "linux-x64", env: { PATH: "/a:/b" }, files });
    assert.deepEqual(found, { kind: "installed", executablePath: "/b/chromium" });
  });
});

describe("a browser in Playwright's directory", () => {
  const cases: readonly [on: string, env: Record<string, string>, file: string][] = [
    ["linux-x64", { HOME: "/home/me" }, "/home/me/.cache/ms-playwright/chromium-1200/chrome-linux64/chrome"],
    ["linux-arm64", { HOME: "/home/me" }, "/home/me/.cache/ms-playwright/chromium-1100/chrome-linux/chrome"],
    [
      "linux-arm64",
      { XDG_CACHE_HOME: "/cache" },
      "/cache/ms-playwright/chromium_headless_shell-1200/chrome-linux/headless_shell",
    ],
    [
      "linux-x64",
      { PLAYWRIGHT_BROWSERS_PATH: "/browsers" },
      "/browsers/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell",
    ],
    [
      "darwin-arm64",
      { HOME: "/Users/me" },
      "/Users/me/Library/Caches/ms-playwright/chromium-1200/chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    ],
    [
      "darwin-x64",
      { HOME: "/Users/me" },
      "/Users/me/Library/Caches/ms-playwright/chromium-1100/chrome-mac/Chromium.app/Contents/MacOS/Chromium",
    ],
    [
      "win32-x64",
      { LOCALAPPDATA: "C:\\me\\Local" },
      "C:\\me\\Local\\ms-playwright\\chromium-1200\\chrome-win64\\chrome.exe",
    ],
    ["win32-x64", { PLAYWRIGHT_BROWSERS_PATH: "D:\\b" }, "D:\\b\\chromium-1100\\chrome-win\\chrome.exe"],
  ];
  for (const [on, env, file] of cases)
    test(`${on}: ${file}`, () => {
      assert.deepEqual(chosen({ on, env, files: [file] }), { kind: "playwright", executablePath: file });
    });

  test("is the newest revision with its executable, and the full browser of that revision", () => {
    const of = (name: string) => `/home/me/.cache/ms-playwright/${name}`;
    const files = [
      of("chromium-999/chrome-linux/chrome"),
      of("chromium_headless_shell-1200/chrome-linux/headless_shell"),
      of("chromium-1200/chrome-linux/chrome"),
      of("chromium-1300/INSTALLATION_INCOMPLETE"),
      of("firefox-2000/firefox/firefox"),
    ];
    assert.deepEqual(chosen({ on: "linux-arm64", env: { HOME: "/home/me" }, files }), {
      kind: "playwright",
      executablePath: of("chromium-1200/chrome-linux/chrome"),
    });
  });

  test("comes after an installed one, and before the one from npm", () => {
    const env = { HOME: "/home/me", PATH: "/usr/bin" };
    const own = "/home/me/.cache/ms-playwright/chromium-1200/chrome-linux/chrome";
    assert.equal(chosen({ on: "linux-x64", env, files: [own, "/usr/bin/chromium"] }).kind, "installed");
    assert.equal(chosen({ on: "linux-x64", env, files: [own] }).kind, "playwright");
    assert.equal(chosen({ on: "linux-x64", env }).kind, "npm");
  });
});

test("the browser from npm is only for linux-x64; elsewhere there is none, and the reason names the platform", () => {
  const env = { HOME: "/home/me", PATH: "/usr/bin", LOCALAPPDATA: "C:\\me" };
  assert.deepEqual(chosen({ on: "linux-x64", env }), { kind: "npm" });
  for (const on of every.filter((each) => each !== "linux-x64"))
    assert.deepEqual(chosen({ on, env }), {
      kind: "none",
      reason: `no Chromium or Chrome is installed on this machine (${on})`,
    });
});
