// The reference pages contain every parameter, field, and code, and the pages in the repository are the generated ones.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { problems } from "../../src/core/problem.ts";
import { parametersOf, shownFields } from "../../src/docs/example.ts";
import { referencePages } from "../../src/docs/reference.ts";
import { staleFiles } from "../../src/docs/write.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";

const pages = referencePages(catalog, extensions, compatTable);
const pageOf = (file: string): string => pages.get(file) ?? assert.fail(`no page ${file}`);

/** The rows of the table under a heading, as lists of cells. */
function rowsUnder(text: string, heading: string): string[][] {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? assert.fail(`no ${heading}`);
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(2).map((line) => line.slice(2, -2).split(/ \| /));
}

const firstCells = (rows: string[][]): string[] => rows.map(([cell = ""]) => cell);

test("there is a page for each list, for bulk files, replication, administration, keys, links, usage, webhooks, operations, and errors, and an index that links to them", () => {
  assert.deepEqual(
    [...pages.keys()].sort(),
    [
      ...[
        "README.md",
        "administration.md",
        "bulk.md",
        "keys.md",
        "links.md",
        "usage.md",
        "webhooks.md",
        "operations.md",
        "replication.md",
        "errors.md",
      ],
      ...[...catalog, ...extensions].map(({ name }) => `${name}.md`),
    ].sort(),
  );
  for (const file of pages.keys()) {
    if (file !== "README.md") assert.ok(pageOf("README.md").includes(`](${file})`), file);
  }
});

for (const resource of catalog) {
  const text = pageOf(`${resource.name}.md`);

  test(`${resource.name}: the page contains path, envelope, and formats, and shows a request`, () => {
    assert.ok(text.includes(`GET ${resource.path}\n`));
    if (resource.envelope !== "array") assert.ok(text.includes(`key \`${resource.envelope.key}\``));
    assert.equal(text.includes("application/xml"), resource.formats.includes("xml"));
    assert.ok(text.includes(`curl "http://127.0.0.1:8080${resource.path}?token=$BELLWIRE_TOKEN`));
  });

  test(`${resource.name}: every parameter is in the table, with its default and its description`, () => {
    const rows = rowsUnder(text, "Parameters");
    const inputs = parametersOf(resource);
    assert.deepEqual(
      firstCells(rows),
      inputs.map(({ names }) => `\`${names[0]}\``),
    );
    for (const [index, { schema }] of inputs.entries()) {
      const [, , fallback, allowed] = rows[index] ?? [];
      assert.equal(fallback, schema.default === undefined ? "" : `\`${schema.default}\``);
      for (const word of (schema.enum ?? []) as string[]) assert.ok(allowed?.includes(`\`${word}\``), word);
      for (const limit of [schema.maxItems, schema.maximum]) {
        if (limit !== undefined && limit !== Number.MAX_SAFE_INTEGER) assert.ok(allowed?.includes(String(limit)));
      }
    }
  });

  test(`${resource.name}: every field is in a table, returned ones separate from those that are only imported`, () => {
    const shown = firstCells(rowsUnder(text, "Fields"));
    const hidden = firstCells(rowsUnder(text, "Import"));
    for (const [name] of shownFields(resource)) assert.ok(shown.includes(`\`${name}\``), name);
    for (const [name, field] of Object.entries(resource.fields)) {
      assert.equal(hidden.includes(`\`${name}\``), field.shown === "never", name);
      for (const [member, { shown: when }] of Object.entries(field.members ?? {})) {
        assert.equal(hidden.includes(`\`${name}[].${member}\``), when === "never", `${name}[].${member}`);
        assert.equal(shown.includes(`\`${name}[].${member}\``), when !== "never", `${name}[].${member}`);
      }
    }
  });

  test(`${resource.name}: the requirements of an import are documented`, () => {
    for (const [name, { required }] of Object.entries(resource.fields)) {
      if (required) assert.match(text, new RegExp(`^Required: .*\`${name}\``, "m"));
    }
  });

  test(`${resource.name}: no table row breaks out of its columns`, () => {
    let columns = 0;
    for (const line of text.split("\n")) {
      const cells = line.startsWith("|") ? line.split(/(?<!\\)\|/).length : 0;
      if (cells > 0 && columns > 0) assert.equal(cells, columns, line);
      columns = cells;
    }
  });
}

test("the pages contain what isn't in OpenAPI: hidden members, import defaults, the order, the table behind simplify", () => {
  const news = pageOf("news.md");
  assert.ok(news.includes("| `stocks[].primary` | boolean |"));
  assert.ok(news.includes("`updated` defaults to `created`."));
  assert.ok(news.includes("&displayOutput=full"), "the example request fills what the example response contains");
  assert.ok(news.includes("`created` descending, then `id` descending"));
  assert.ok(news.includes("Requires the license `cusip`."));
  const ratings = pageOf("ratings.md");
  assert.ok(ratings.includes("`updated` defaults to the time of import."));
  assert.ok(ratings.includes("only with `fields=*`"));
  assert.match(ratings, /^- \*\*Hold\*\*: Hold, Neutral/m);
});

test("every error code is a heading with an anchor, its status, and its description", () => {
  const text = pageOf("errors.md");
  for (const [code, { status, title, doc }] of Object.entries(problems)) {
    assert.ok(text.includes(`<a id="${code}"></a>\n\n## ${code}\n\n**${status} ${title}.** ${doc}\n`), code);
  }
});

test("the pages in docs/reference are the generated ones", async () => {
  assert.deepEqual(await staleFiles(pages), [], "docs/reference is out of date: run `npm run docs`");
});

test("the check lists changed, missing, and obsolete pages", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bellwire-docs-"));
  await writeFile(join(folder, "same.md"), "same");
  await writeFile(join(folder, "changed.md"), "old");
  await writeFile(join(folder, "gone.md"), "gone");
  const wanted = new Map([
    ["same.md", "same"],
    ["changed.md", "new"],
    ["missing.md", "missing"],
  ]);
  assert.deepEqual(await staleFiles(wanted, folder), ["changed.md", "gone.md", "missing.md"]);
  await rm(folder, { recursive: true });
});

test("the script behind `npm run docs` checks without writing", () => {
  const script = fileURLToPath(import.meta.resolve("../../src/docs/write.ts"));
  const run = spawnSync(process.execPath, [script, "--check"], { encoding: "utf8" });
  assert.deepEqual([run.status, run.stdout], [0, ""], run.stderr);
});
