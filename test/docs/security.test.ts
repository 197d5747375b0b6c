// The table of threats is complete, and the files and tests that it names exist.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";

const rows = readFileSync("docs/security.md", "utf8")
  .split("\n")
  .filter((line) => /^\| (?!Threat)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** The names in calls of `test`, not in comments or other text. */
const testNames = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/\b(?:test|nodeTest)\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs)].map(
    ([, , name = ""]) => name,
  );

test("every threat has a defense, and its files exist", () => {
  assert.ok(rows.length > 25);
  for (const [, threat = "", defence = "", where = ""] of rows) {
    const files = [...where.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    assert.ok(defence !== "" && files.length > 0, threat);
    for (const file of files) assert.ok(existsSync(file), `${threat}: there is no ${file}`);
  }
});

test("every threat has a test, by file and name, that exists", () => {
  for (const [, threat = "", , , shown = ""] of rows) {
    assert.match(shown, /^`test\/[^`]+` "/, threat);
    let names: string[] = [];
    for (const [, path, name = ""] of shown.matchAll(/`(test\/[^`]+)`|"([^"]+)"/g)) {
      if (path !== undefined) names = testNames(path);
      else
        assert.ok(
          names.some((each) => each.includes(name)),
          `${threat}: no test is named "${name}"`,
        );
    }
  }
});

test("no threat is missing", () => {
  const threats = rows.map(([, threat = ""]) => threat).join("\n");
  for (const threat of [
    ...["Guessing keys", "Injection", "Path traversal", "Slow clients", "Huge requests", "Decompression bombs"],
    ...["Keys in logs", "Keys in referrers", "Keys in errors", "Keys in metrics", "Timing attacks on key comparison"],
    ...["SSRF through a mirror", "SSRF through feeds", "Install scripts of dependencies"],
  ])
    assert.ok(threats.includes(threat), threat);
});

test("the README and the security policy link to the table", () => {
  for (const file of ["README.md", "SECURITY.md"])
    assert.ok(readFileSync(file, "utf8").includes("(docs/security.md)"), file);
});
