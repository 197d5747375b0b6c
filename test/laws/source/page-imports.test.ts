// Source rules for the web page: file sizes, import directions, and no text set as HTML.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { catalog } from "../../../src/resources/catalog.ts";

/** Directories that each directory may import from, besides itself. */
const allowed: Record<string, readonly string[]> = {
  format: [],
  app: ["api", "parts", "format", "views"],
  api: ["app", "format"],
  parts: ["api", "app", "format"],
  views: ["api", "app", "parts", "format"],
};

/** The modules of `app` that other directories may import: shared state, no components. */
const sharedState = /^web\/app\/(signal|location|local-storage|shortcuts|theme|routes)\.ts$/;

const files = globSync("web/**/*.{ts,tsx}");
const styles = globSync("web/**/*.css");
const directoryOf = (file: string): string | undefined => /^web\/([^/]+)\//.exec(file)?.[1];
const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g)].map((match) =>
    normalize(join(dirname(file), match[1] ?? "")),
  );

describe("the page's source", () => {
  test("files open with a comment and have at most 300 lines, style sheets 400", () => {
    for (const file of [...files, ...styles]) {
      const text = readFileSync(file, "utf8");
      assert.match(text, /^(\/\/|\/\*) \S/, `${file} does not open with a comment`);
      const limit = file.endsWith(".css") ? 400 : 300;
      assert.ok(text.split("\n").length <= limit + 1, `${file} has ${text.split("\n").length} lines`);
    }
  });

  test("imports point one way, and from the server's source only to src/core", () => {
    for (const file of files) {
      const directory = directoryOf(file);
      if (directory === undefined) continue;
      for (const imported of importsOf(file)) {
        if (imported.startsWith("src/core/")) continue;
        const target = directoryOf(imported);
        assert.ok(target !== undefined, `${file} must not import ${imported}`);
        if (target === directory) continue;
        assert.ok(allowed[directory]?.includes(target), `${file} must not import ${imported}`);
        if (target === "app") assert.match(imported, sharedState, `${file} must not import ${imported}`);
      }
    }
  });

  test("only modules that format fields hard-code calendar names", () => {
    const calendars = catalog.map(({ name }) => name).filter((name) => name !== "news");
    const named = new RegExp(`["'\`/](?:${calendars.join("|")})["'\`/?]|^ *(?:${calendars.join("|")}): [[{]`, "m");
    const formatsFields = /^web\/views\/(ticker\/.*|today\/day-columns\.tsx)$/;
    const naming = files.filter((file) => named.test(readFileSync(file, "utf8").replace(/^ *\/[/*].*$/gm, "")));
    assert.deepEqual(
      naming.filter((file) => !formatsFields.test(file)),
      [],
    );
  });

  test("views don't import each other", () => {
    const viewOf = (file: string): string | undefined => /^web\/views\/([^/]+)\//.exec(file)?.[1];
    for (const file of files.filter((each) => viewOf(each) !== undefined)) {
      for (const imported of importsOf(file)) {
        const other = viewOf(imported);
        assert.ok(other === undefined || other === viewOf(file), `${file} must not import ${imported}`);
      }
    }
  });

  test("text is never set as HTML or evaluated as code", () => {
    for (const file of files) {
      const text = readFileSync(file, "utf8");
      assert.doesNotMatch(
        text,
        /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function/,
        file,
      );
    }
  });

  test("colors are defined only in tokens.css", () => {
    for (const file of styles.filter((each) => each !== "web/styles/tokens.css")) {
      assert.doesNotMatch(readFileSync(file, "utf8"), /#[0-9a-f]{3,8}\b|\brgba?\((?!10 16 24)|\bhsla?\(/i, file);
    }
  });
});
