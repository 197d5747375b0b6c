// Snippets of API requests, pasted into a shell and run against a server.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { openapi } from "../../src/docs/openapi/openapi.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { extensions } from "../../src/resources/lists/extensions.ts";
import { readDocument } from "../../web/api/document.ts";
import { filtersOf, requestOf } from "../../web/api/filters.ts";
import { type ApiRequest, get } from "../../web/api/request.ts";
import { type Language, snippet } from "../../web/api/snippets.ts";
import { pageService, type Service } from "./support/service.ts";
import "../support/budget.ts";

let service: Service;
before(async () => {
  service = await pageService({ demo: [] });
  await service.has("news", [{ id: 1, title: 'It\'s 5 & "up"', created: "2026-06-17T09:00:00-04:00" }]);
});
after(() => service.close());

const { listings } = readDocument(openapi(catalog, { version: "1" }, extensions) as never);

/** Every list, with brackets, commas, and spaces in the query. */
const lists: readonly ApiRequest[] = [
  ...listings.map((listing) => {
    const dates = { date_from: "2026-06-01", dateFrom: "2026-06-01", tickers: "AAPL,BRK.B" };
    return requestOf(listing, new URLSearchParams(dates), 5, filtersOf(listing));
  }),
  get("/api/v2/news", [["topics", 'it\'s 5,"up" & more']]),
  get("/api/v2/news", [["pageSize", "1"]]),
];

/** A key is created, changed, and revoked. */
const writes = (name: string): readonly ApiRequest[] => {
  const path = `/admin/v1/keys/${name}`;
  return [
    { method: "POST", path: "/admin/v1/keys", params: [], body: { name, owner: 'O\'Hara & "Sons"', rate: 5 } },
    { method: "PATCH", path, params: [], body: { resources: ["news"], expires: "2030-01-01" } },
    { method: "DELETE", path, params: [] },
  ];
};

/** Runs snippets one after the other in one shell, and prints each response as JSON. */
const scripts: Readonly<Record<Language, (snippets: readonly string[]) => string>> = {
  URL: (all) => all.map((each) => `curl -sSf '${each.replaceAll("'", "%27")}' || exit 1; echo`).join("\n"),
  curl: (all) => all.map((each) => `${each.replace("curl ", "curl -sSf ")} || exit 1; echo`).join("\n"),
  JavaScript: (all) => heredoc(`"${process.execPath}" --input-type=module -`, all.map(inBlock)),
  Python: (all) =>
    heredoc(
      "python3 -",
      all.map((each) => `data = None\n${each}\nprint(json.dumps(data))`),
    ),
};

const heredoc = (command: string, code: readonly string[]): string => `${command} <<'EOF'\n${code.join("\n")}\nEOF`;
const inBlock = (code: string): string =>
  `{ ${code}\n${code.includes("const data") ? "console.log(JSON.stringify(data));" : "console.log();"} }`;

async function run(language: Language, requests: readonly ApiRequest[], key: string): Promise<string[]> {
  const code = requests.map((request) => snippet(language, request, service.origin).replace("YOUR_KEY", key));
  const shell = spawn("sh", ["-c", scripts[language](code)], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors, [status]] = await Promise.all([text(shell.stdout), text(shell.stderr), once(shell, "close")]);
  assert.equal(status, 0, errors);
  return output.trimEnd().split("\n");
}

const exists = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;

describe("snippets work as pasted into a shell", () => {
  for (const [language, program] of [
    ["URL", "curl"],
    ["curl", "curl"],
    ["JavaScript", "node"],
    ["Python", "python3"],
  ] as const) {
    test(language, { skip: program === "node" || exists(program) ? false : `no ${program}` }, async () => {
      const responses = (await run(language, lists, service.key)).map((line) => JSON.parse(line) as object);
      assert.equal(responses.length, lists.length);
      assert.deepEqual(
        responses.slice(-2).map((each) => (each as unknown[]).length),
        [1, 1],
      );
      if (language === "URL") return;
      const admin = await service.makeKey(`admin of ${language}`, ["admin"]);
      const name = `made-by-${language.toLowerCase()}`;
      const [created = ""] = await run(language, writes(name), admin);
      assert.equal((JSON.parse(created) as { owner: string }).owner, 'O\'Hara & "Sons"');
      const stored = (await service.store.listKeys()).find((each) => each.name === name);
      assert.deepEqual([stored?.resources, stored?.revoked !== undefined], [["news"], true]);
    });
  }
});
