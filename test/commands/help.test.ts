// The command line: help names every setting, and invalid arguments are reported with exit status 2.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { configure, settings, UsageError } from "../../src/config.ts";
import { bellwire, bellwireWrites, folder, freshDatabase } from "./support/bellwire.ts";

const commands = ["serve", "import", "export", "keys", "explain"];

describe("help", () => {
  test("lists every command on standard output, without a command and as help, --help, and -h", async () => {
    const plain = await bellwireWrites([]);
    for (const command of commands) assert.match(plain, new RegExp(`^  bellwire ${command}\\b`, "m"));
    for (const word of ["help", "--help", "-h"]) assert.equal(await bellwireWrites([word]), plain);
  });

  test("of serve lists every setting with its variable and default", async () => {
    const text = await bellwireWrites(["help", "serve"]);
    for (const [name, setting] of Object.entries(settings)) {
      assert.match(text, new RegExp(`^  --(no-)?${name}\\b`, "m"), name);
      assert.ok(text.includes(`BELLWIRE_${name.toUpperCase().replaceAll("-", "_")}`), name);
      if ("fallback" in setting && setting.fallback !== "") assert.ok(text.includes(`[${setting.fallback}]`), name);
    }
    for (const default_ of ["[./data/bellwire.db]", "[127.0.0.1]", "[8080]", "America/New_York"]) {
      assert.ok(text.includes(default_), default_);
    }
  });

  test("of every command lists its flags and does nothing else", async () => {
    const flags = {
      serve: ["--database", "--host", "--port", "--no-demo"],
      import: ["--database"],
      export: ["--database", "--format", "--output"],
      keys: ["--database", "--name", "--license", "--expires"],
      explain: ["--database"],
    };
    const cwd = mkdtempSync(join(folder, "help-"));
    for (const [command, names] of Object.entries(flags)) {
      const text = await bellwireWrites([command, "--help"], { cwd });
      for (const name of names) assert.match(text, new RegExp(`^  ${name}\\b`, "m"), `${command} ${name}`);
      assert.ok(text.includes("BELLWIRE_DATABASE"), command);
    }
    assert.equal(existsSync(join(cwd, "data")), false);
  });

  test("the version is that of the package", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    assert.equal(await bellwireWrites(["--version"], { ownProcess: true }), `${version}\n`);
  });
});

/** Runs a command that must be rejected: status 2, nothing on standard output, one line on standard error. */
async function rejected(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const cwd = mkdtempSync(join(folder, "refused-"));
  const { status, stdout, stderr } = await bellwire(args, { env, cwd, ownProcess: false });
  assert.deepEqual([status, stdout], [2, ""], `${args.join(" ")}: ${stderr}`);
  assert.match(stderr, /^bellwire: [^\n]+\n$/);
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
  assert.equal(existsSync(join(cwd, "data")), false, "nothing was created");
  return stderr;
}

describe("invalid arguments", () => {
  test("an unknown command is reported with the existing ones", async () => {
    const stderr = await rejected(["server"]);
    assert.match(stderr, /, got "server"; did you mean serve\?$/m);
    for (const command of commands) assert.ok(stderr.includes(command), command);
    assert.match(await rejected(["toString"]), /"toString"/);
  });

  test("an unknown flag is reported with the existing ones", async () => {
    const stderr = await rejected(["serve", "--prot", "9000"]);
    assert.match(stderr, /unknown flag --prot; did you mean --port\? Flags of this command: .*--no-demo/);
    assert.match(await rejected(["export", "news", "--zone", "UTC"]), /--zone.*--database/);
    assert.match(await rejected(["export", "news", "--größe=3"]), /unknown flag --größe; flags/);
  });

  test("an invalid value is reported with its flag, the value, and what was expected, before anything is done", async () => {
    for (const [flag, input, expected] of [
      ["--port", "http", "a number from 0 to 65535"],
      ["--port", "-1", "a number from 0 to 65535"],
      ["--stop-seconds", "1.5", "a number from 0 to 3600"],
    ] as const) {
      assert.equal(await rejected(["serve", flag, input]), `bellwire: ${flag}: expected ${expected}, got "${input}"\n`);
    }
    assert.match(await rejected(["serve", "--port"]), /--port: expected .*, got nothing/);
  });

  test("the error for a setting's invalid value names the valid ones", () => {
    for (const [name, input, expected] of [
      ["port", "65536", /a number from 0 to 65535/],
      ["port", "", /a number from 0 to 65535/],
      ["zone", "Mars/Olympus", /a time zone such as America\/New_York/],
      ["zone", "+05:00", /a time zone such as America\/New_York/],
      ["calendar-cusip", "number", /integer, string/],
      ["cors-origins", "example.com", /https:\/\/example\.com/],
      ["cors-origins", "https://a.example/path", /https:\/\/example\.com/],
      ["log-level", "loud", /fatal, error, warn, info, debug, trace, silent/],
      ["database", "", /a SQLite file/],
      ["host", " ", /an IP address/],
    ] as const) {
      assert.throws(
        () => configure({ [name]: input }, {}).get(name),
        (error) => {
          assert.ok(error instanceof UsageError);
          assert.ok(error.message.startsWith(`--${name}: expected `), error.message);
          assert.ok(error.message.endsWith(`, got "${input}"`), error.message);
          assert.match(error.message, expected);
          return true;
        },
      );
    }
  });

  test("a flag takes precedence over the environment, and both over the default", () => {
    const environment = { BELLWIRE_PORT: "9000", BELLWIRE_LOG_LEVEL: "warn" };
    const config = configure({ port: "9001" }, environment);
    assert.deepEqual([config.get("port"), config.get("log-level"), config.get("host")], ["9001", "warn", "127.0.0.1"]);
  });

  test("an invalid environment value is reported with the variable's name", async () => {
    const stderr = await rejected(["serve"], { BELLWIRE_PORT: "eighty" });
    assert.match(stderr, /BELLWIRE_PORT: expected a number from 0 to 65535, got "eighty"/);
    assert.match(await rejected(["serve"], { BELLWIRE_DEMO: "no" }), /BELLWIRE_DEMO: expected .*true, false, got "no"/);
  });

  test("a mistyped resource or action is reported with the one that it probably stands for", async () => {
    assert.match(await rejected(["export", "rating"]), /got "rating"; did you mean ratings\?$/m);
    assert.match(await rejected(["keys", "creat"]), /got "creat"; did you mean create\?$/m);
    assert.match(await rejected(["keys", "create"]), /--name: expected a name of .*, got nothing$/m);
  });

  test("a value for a flag that takes none is rejected", async () => {
    const stderr = await rejected(["import", "news", "x.json", "--check=yes"]);
    assert.equal(stderr, 'bellwire: --check: expected no value, got "yes"\n');
  });

  test("a surplus argument is rejected rather than ignored", async () => {
    assert.match(await rejected(["serve", "8080"]), /"8080"/);
    assert.match(await rejected(["export", "news", "ratings"]), /"ratings"/);
    assert.match(await rejected(["keys", "revoke", "two", "words"]), /"words"/);
  });

  test("an unknown or missing resource is reported with the existing ones", async () => {
    for (const command of ["import", "export"]) {
      assert.match(await rejected([command, "quotes", "x.json"].slice(0, command === "import" ? 3 : 2)), /"quotes"/);
      const stderr = await rejected([command]);
      assert.match(
        stderr,
        /RESOURCE: expected one of news, ratings, dividends, guidance, earnings, economics, conference-calls/,
      );
    }
  });

  test("only commands that write create a database; others report that there is none", async () => {
    const database = freshDatabase();
    for (const args of [
      ["export", "news"],
      ["keys", "list"],
      ["keys", "revoke", "x"],
      ["explain", "/api/v2/news"],
    ]) {
      assert.ok((await rejected([...args, "--database", database])).includes(database), args.join(" "));
    }
    assert.equal(existsSync(database), false);
  });
});
