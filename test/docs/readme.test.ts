// The README lists every command and every setting, with its flag, variable, and default.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { commands } from "../../src/commands/commands.ts";
import { environmentName, settings } from "../../src/config.ts";

const readme = readFileSync("README.md", "utf8");

test("every setting is in the README, by its flag and its variable, with its default", () => {
  for (const [name, setting] of Object.entries(settings)) {
    const { fallback }: { fallback?: string; help: string } = setting;
    const row = readme.split("\n").find((line) => line.startsWith("|") && line.includes(environmentName(name)));
    assert.ok(row, `${environmentName(name)} is not in the README`);
    assert.ok(row.includes(`--${name}`) || row.includes(`--no-${name}`), `--${name} is not in the README`);
    if (fallback && name !== "demo")
      assert.ok(row.includes(`\`${fallback}\``), `the default of ${name} is not in the README`);
  }
});

test("every command is in the README", () => {
  assert.ok(Object.keys(commands).length >= 6);
  for (const command of Object.keys(commands))
    assert.match(readme, new RegExp(`\\| \`${command}`), `${command} is not in the README`);
});

test("every link in the README to a file of the project is valid", () => {
  const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => String(match[1]));
  for (const link of links) assert.ok(readFileSync(link, "utf8").length > 0, link);
});

test("every image in the README also works outside the repository, and is a file in it", () => {
  const pictures = [...readme.matchAll(/(?:!\[[^\]]*\]\(|src(?:set)?=")([^)"]+)/g)].map((match) => String(match[1]));
  assert.ok(pictures.length >= 6);
  const base = "https://raw.githubusercontent.com/bellwire/bellwire/main/";
  for (const picture of pictures) {
    assert.ok(picture.startsWith(base), picture);
    assert.ok(existsSync(picture.slice(base.length)), picture);
  }
});
