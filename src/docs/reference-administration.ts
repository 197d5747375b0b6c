// The page on writing over HTTP: scopes, a POST of records with its report, and a DELETE.

import { defaultScopes, scopes } from "../core/access/scope.ts";
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import { problems } from "../core/problem.ts";
import { bodyTypes, mostListed, recordsPath, writeInputs } from "../core/writing.ts";
import { refusedExample, reportExample } from "./openapi-administration.ts";
import { leastRecord, parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, host, page, table } from "./table.ts";

const authorization = '-H "Authorization: Bearer $BELLWIRE_TOKEN"';

export function administrationPage(catalog: readonly Resource[]): string {
  const [first, second = first] = catalog;
  if (first === undefined || second === undefined) throw new Error("the catalogue is empty");
  const path = recordsPath({ name: "RESOURCE" });
  const id = String(fieldOf(second, "id").example);
  return page([
    "# Administration",
    "Records can be written and removed over HTTP. This is an extension of the interface.",
    fence("http", `POST ${path}\nDELETE ${path}/ID`),
    `${code("RESOURCE")} is one of ${catalog.map(({ name }) => code(name)).join(", ")}.`,
    "## Keys",
    "A key holds one or more scopes, given with `--scope` when it is made:",
    table(
      ["Scope", "For"],
      Object.entries(scopes).map(([name, what]) => [code(name), what]),
    ),
    fence("sh", "export BELLWIRE_TOKEN=$(bellwire keys create --name writer --scope write)"),
    bullets(
      `**Without \`--scope\`** a key holds ${defaultScopes.map(code).join(", ")}. One scope does not include another: a key with ${code("write")} alone reads no list.`,
      "**Header only.** The key is sent as `Authorization: Bearer KEY` or `Authorization: token KEY`. A `token` in the query is refused here, since queries end in logs.",
    ),
    "## Adding and replacing",
    fence("sh", curlPost(second)),
    fence("json", JSON.stringify(reportExample)),
    "Many records, one on each line, packed, and streamed as they come:",
    fence("sh", curlStream(second)),
    bullets(
      `**Body.** ${bodyWords()} A body may be packed: \`Content-Encoding: gzip\`. Text is UTF-8.`,
      "**Records** are in the form in which they are imported; the page of each resource says what it holds, under Import.",
      "**Again.** A new id adds a record, a known one replaces it as a whole, an identical record changes nothing. So a body whose answer was lost can simply be sent again.",
      "**Kept** means committed before the answer is sent: on SQLite it is on disk, on PostgreSQL as safe as `synchronous_commit` there says.",
      "**Size.** A body is read piece by piece and may be long: at most `BELLWIRE_WRITE_MEGABYTES` once unpacked, a record at most 16 MiB. It may take its time, but not be silent for a minute.",
    ),
    "### Parameters",
    table(["Name", "Type", "Default", "Allowed", "Meaning"], Object.values(writeInputs).map(parameterRow)),
    "With `atomic=true` the records are held in memory until the last has been read, so the body may have at most `BELLWIRE_ATOMIC_MEGABYTES`.",
    "### Answers",
    table(["Status", "When", "Body"], statusRows()),
    `A refused record has its place among the records (${code("index")}, from 0), the line on which it begins (${code("line")}, from 1), its ${code("id")} where that can be read, and every reason. The first ${mostListed.toLocaleString("en")} are listed, fewer when their reasons are long; ${code("refused")} counts all.`,
    fence("json", JSON.stringify(refusedExample, undefined, 2)),
    "A body that breaks off (an array that is not closed, damaged gzip data, a cut connection) ends with a refusal that says so. What stood before is kept, unless the request is atomic.",
    "## Removing",
    fence("sh", curlDelete(second, id)),
    fence("json", JSON.stringify({ removed: 1 })),
    "The id is percent-encoded. A record that is not there is none to remove: `0`, and no mistake.",
    "Refusals that all requests share are on the page [Errors](errors.md).",
  ]);
}

function bodyWords(): string {
  const words: Readonly<Record<string, string>> = { json: "an array of records", ndjson: "one record on each line" };
  const types = Object.entries(bodyTypes).map(([type, format]) => `\`${type}\` (${words[format]})`);
  return `${types.join(", ")}.`;
}

function statusRows(): string[][] {
  const problem = (name: keyof typeof problems, when: string): string[] => [
    String(problems[name].status),
    when,
    `problem [\`${name}\`](errors.md#${name})`,
  ];
  return [
    ["200", "every record was kept", "report"],
    ["207", "some records were kept, and some were refused", "report"],
    problem("records.refused", "none was kept: all were refused, or one was and the request is atomic"),
    problem("request.size", "the body is larger than the limit; what came before it is kept, unless atomic"),
    problem("request.type", "the body is of another type"),
    problem("request.body", "not even the first record could be read"),
  ].map(([status = "", when = "", body = ""]) => [
    status,
    when,
    ["records.refused", "request.size"].some((name) => body.includes(name)) ? `${body} with \`report\`` : body,
  ]);
}

const curlPost = (resource: Resource): string =>
  [
    `curl -sS "${host}${recordsPath(resource)}" \\`,
    `  ${authorization} \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify([leastRecord(resource).record])}'`,
  ].join("\n");

const curlStream = (resource: Resource): string =>
  [
    `printf '%s\\n' '${JSON.stringify(leastRecord(resource).record)}' | gzip |`,
    `  curl -sS -X POST -T - "${host}${recordsPath(resource)}" \\`,
    `    ${authorization} \\`,
    `    -H "Content-Type: application/x-ndjson" -H "Content-Encoding: gzip"`,
  ].join("\n");

const curlDelete = (resource: Resource, id: string): string =>
  `curl -sS -X DELETE "${host}${recordsPath(resource)}/${encodeURIComponent(id)}" \\\n  ${authorization}`;
