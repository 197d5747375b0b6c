// The npm package, made and installed as docs/operations/deploy.md says, gives a server with its page, its reference, and
// its lists, on every Node.js that it allows. Long: it fetches other versions of Node.js from npm's registry or cache.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, test } from "node:test";
import { blocks } from "../docs/page-commands.ts";
import {
  attempt,
  copySource,
  emptyDirectory,
  expectDeployed,
  follow,
  freshShell,
  type Place,
  reuseModules,
  scratch,
} from "./following.ts";

const [packing = "", packaged = ""] = blocks("docs/operations/deploy.md", "sh").slice(3);

describe("the npm package", () => {
  const directory = emptyDirectory("installed");
  const place = { cwd: directory, env: { ...freshShell(), BELLWIRE_PORT: "0" } };
  const [install = "", createKey = "", start = ""] = packaged.split("\n");

  before(async () => {
    const source = emptyDirectory("package-source");
    copySource(source);
    reuseModules(source);
    assert.ok(packing.startsWith("npm ci && npm pack "));
    await follow(packing.replace("npm ci && ", ""), { cwd: source, env: freshShell() });
    await follow(`mv '${source}'/*.tgz '${directory}'`, place);
    // With an empty cache and no network, nothing can come from anywhere but the package itself.
    const env = { ...place.env, npm_config_offline: "true", npm_config_cache: emptyDirectory("empty-cache") };
    await follow(install, { cwd: directory, env });
  });

  test("deploys a server with its page", async () => {
    await expectDeployed(createKey, start, place);
  });

  test("installs exactly the dependencies of the lock file", async () => {
    const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    const locked = Object.entries(packages).filter(([path, { dev }]) => path !== "" && dev !== true);
    const installed = await follow(
      "cd node_modules/bellwire && find node_modules -path '*/node_modules/*/package.json' -o -path 'node_modules/*/package.json'",
      place,
    );
    const ofPackages = installed
      .split("\n")
      .filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
    const found = ofPackages.map((path) => {
      const { version } = JSON.parse(readFileSync(join(directory, "node_modules/bellwire", path), "utf8"));
      return `${path.replace(/\/package\.json$/, "")} ${version}`;
    });
    assert.deepEqual(found.sort(), locked.map(([path, { version }]) => `${path} ${version}`).sort());
  });

  test("exports its command line, its client, its test kit, and its manifest, and no other file", async () => {
    const load = (name: string) =>
      attempt(`node -e 'import("${name}").then((m) => console.log(Object.keys(m)))'`, place);
    assert.match((await load("bellwire")).stdout, /run/);
    assert.match((await load("bellwire/client")).stdout, /\bBellwire\b/);
    assert.match((await load("bellwire/testing")).stdout, /\bstartBellwire\b/);
    assert.equal(await follow(`node -p 'require("bellwire/package.json").name'`, place), "bellwire\n");
    assert.match((await load("bellwire/dist/version.js")).stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  test("its test kit starts a server, and its types need no others", async () => {
    await expectTestKit(place);
    const source = `import { rating, startBellwire } from "bellwire/testing";\nawait using server = await startBellwire();\nawait server.put({ ratings: [rating()] });\n`;
    writeFileSync(join(directory, "kit.mts"), source);
    const compiler = resolve(import.meta.dirname, "../../node_modules/.bin/tsc");
    const flags = "--noEmit --strict --target es2024 --lib es2024,esnext,dom --module nodenext --types ''";
    await follow(`'${compiler}' ${flags} kit.mts`, place);
  });

  test("runs on the oldest Node.js that it allows", async () => {
    const env = {
      ...place.env,
      ...(await shellWithNode(">=24.11.0 <25")),
      BELLWIRE_DATABASE: join(scratch, "oldest.db"),
    };
    await expectDeployed(createKey, start, { cwd: directory, env });
    await expectTestKit({ cwd: directory, env });
  });

  test("prints one line on a Node.js that is too old", async () => {
    const env = await shellWithNode(">=16.0.0 <17");
    const { status, stdout, stderr } = await attempt("node_modules/.bin/bellwire --version", { cwd: directory, env });
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /^bellwire needs Node\.js 24\.11 or newer; this is v16\.\S+ \(\S+\/node\)\. Install .*\n$/);
  });
});

async function expectTestKit(place: Place): Promise<void> {
  const script = `import { rating, startBellwire } from "bellwire/testing";
    await using server = await startBellwire({ records: { ratings: [rating({ ticker: "AAPL" })] } });
    console.log((await server.client.ratings.page()).records.map(({ ticker }) => ticker));`;
  writeFileSync(join(place.cwd, "kit.mjs"), script);
  assert.equal(await follow("node kit.mjs", place), "[ 'AAPL' ]\n");
}

/** A shell with the lowest version of Node.js in a range that npm has for this platform. */
async function shellWithNode(range: string): Promise<Record<string, string>> {
  const { platform, arch } = process;
  const name = `${platform === "darwin" && arch === "arm64" ? "node-bin" : "node"}-${platform}-${arch}`;
  const directory = emptyDirectory(range.replace(/\D+/g, "-"));
  const place = { cwd: directory, env: freshShell() };
  const versions = [JSON.parse(await follow(`npm view '${name}@${range}' version --json`, place))].flat() as string[];
  const [lowest] = versions.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  await follow(`npm install --ignore-scripts --prefix . '${name}@${lowest}'`, place);
  return freshShell(join(directory, "node_modules", name, "bin"));
}
