// The page keeps to the laws of the source: small files with one job, imports that point one way, no text set as HTML.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";

/** Which rooms a room may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  format: [],
  app: ["api", "parts", "format", "views"],
  api: ["app", "format"],
  parts: ["api", "app", "format"],
  views: ["api", "app", "parts", "format"],
};

/** Of the app, the rooms below it see shared state alone: nothing of what draws. */
const sharedState = /^web\/app\/(signal|location|local-storage|shortcuts|theme|routes)\.ts$/;

const files = globSync("web/**/*.{ts,tsx}");
const styles = globSync("web/**/*.css");
const roomOf = (file: string): string | undefined => /^web\/([^/]+)\//.exec(file)?.[1];
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? "")),
  );

describe("the page's source", () => {
  test("every file opens with its job and stays under 300 lines, style sheets under 400", () => {
    for (const file of [...files, ...styles]) {
      const text = readFileSync(file, "utf8");
      assert.match(text, /^(\/\/|\/\*) \S/, `${file} does not open with its job`);
      const most = file.endsWith(".css") ? 400 : 300;
      assert.ok(text.split("\n").length <= most + 1, `${file} has ${text.split("\n").length} lines`);
    }
  });

  test("imports point one way, and of the server's source at its pure core alone", () => {
    for (const file of files) {
      const room = roomOf(file);
      if (room === undefined) continue;
      for (const imported of importsOf(file)) {
        if (imported.startsWith("src/core/")) continue;
        const target = roomOf(imported);
        assert.ok(target !== undefined, `${file} must not import ${imported}`);
        if (target === room) continue;
        assert.ok(allowed[room]?.includes(target), `${file} must not import ${imported}`);
        if (target === "app") assert.match(imported, sharedState, `${file} must not import ${imported}`);
      }
    }
  });

  test("no calendar is named but where its own fields are drawn: the rest comes from the OpenAPI document", () => {
    const calendars = catalog.map(({ name }) => name).filter((name) => name !== "news");
    const named = new RegExp(`["'\`/](?:${calendars.join("|")})["'\`/?]|^ *(?:${calendars.join("|")}): [[{]`, "m");
    const drawsFields = /^web\/views\/(ticker\/.*|today\/day-columns\.tsx)$/;
    const naming = files.filter((file) => named.test(readFileSync(file, "utf8").replace(/^ *\/[/*].*$/gm, "")));
    assert.deepEqual(
      naming.filter((file) => !drawsFields.test(file)),
      [],
    );
  });

  test("views do not import each other", () => {
    const viewOf = (file: string): string | undefined => /^web\/views\/([^/]+)\//.exec(file)?.[1];
    for (const file of files.filter((each) => viewOf(each) !== undefined)) {
      for (const imported of importsOf(file)) {
        const other = viewOf(imported);
        assert.ok(other === undefined || other === viewOf(file), `${file} must not import ${imported}`);
      }
    }
  });

  test("no text is ever set as HTML, and nothing is made of code in a text", () => {
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      assert.doesNotMatch(
        text,
        /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/,
        file,
      );
    }
  });

  test("colours stand in the tokens alone", () => {
    for (const file of styles.filter((each) => each !== "web/styles/tokens.css")) {
      assert.doesNotMatch(readFileSync(file, "utf8"), /#[0-9a-f]{3,8}\b|\brgba?\((?!10 16 24)|\bhsla?\(/i, file);
    }
  });
});
