// The catalogue as reference pages: an index, one page a list, and the errors. The README holds what all requests share.

import { type EndpointGroup, exampleHost } from "../core/catalog/endpoint.ts";
import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import { heavyFields, minimalRecord, type Resource } from "../core/catalog/resource.ts";
import { problems } from "../core/problem.ts";
import type { WireRecord } from "../core/record/row.ts";
import { endpointGroups } from "../endpoints/endpoints.ts";
import {
  describeOrder,
  fieldSelector,
  findParameter,
  inEnvelope,
  parametersOf,
  prose,
  recordExample,
} from "./example.ts";
import { endpointsPage } from "./reference-endpoints.ts";
import { describeImport, fieldRows, importRows, parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, page, table } from "./table.ts";

/** File name → Markdown. */
export function referencePages(
  catalog: readonly Resource[],
  extensions: readonly Extension[] = [],
): Map<string, string> {
  return new Map([
    ["README.md", index(catalog, extensions)],
    ...catalog.map((resource) => [`${resource.name}.md`, listPage(resource, importSection(resource))] as const),
    ...extensions.map((listing) => [`${listing.name}.md`, listPage(listing)] as const),
    ...Object.entries<EndpointGroup>(endpointGroups(catalog)).flatMap(([file, { page: about, ...group }]) =>
      about === undefined ? [] : [[`${file}.md`, endpointsPage(about, group, catalog)] as const],
    ),
    ["errors.md", errorsPage()],
  ]);
}

function index(catalog: readonly Resource[], extensions: readonly Extension[]): string {
  const row = ({ name, title, path, doc }: Listing) => [`[${title}](${name}.md)`, code(`GET ${path}`), doc];
  return page([
    "# Reference",
    "What every endpoint takes and answers. A running server shows the same at `/docs`, where requests can be tried, and as an OpenAPI document at `/openapi.json`.",
    table(["Resource", "Path", "Holds"], catalog.map(row)),
    "Beside them stand lists that the interface does not have:",
    table(["Extension", "Path", "Holds"], extensions.map(row)),
    "Those who keep a copy of all records follow the [change feed](replication.md). Records can be written and removed over HTTP too: [Administration](administration.md). Keys are made and changed there as well: [Keys](keys.md), and what they use is told: [Usage](usage.md). How a server stands is told as well: [Operations](operations.md). Refusals and their codes are on the page [Errors](errors.md).",
    "## Every request",
    bullets(
      "**Key.** Each request carries an API key, which holds the scope `read` unless a page says otherwise: `token=KEY` in the query, or the header `Authorization: Bearer KEY` or `Authorization: token KEY`, which keep it out of logs. Two different keys at once are refused.",
      "**Names** are taken literally. Brackets may be sent as they are or percent-encoded.",
      "**Lists** (csv) are comma-separated. Blanks around members, empty members and repeats do not count.",
      "**Empty** values count as not given. The same parameter twice is refused.",
      "**Case.** Choices are taken as printed here. Ticker symbols, ISINs, CUSIPs and country codes may be in any case, and so may names such as those of authors, channels and categories.",
      "**Days** are `YYYY-MM-DD`, both ends of a range included. A single day excludes a range in the same request.",
      "**Mistakes** are reported all at once, each with the parameter, what was given and what was expected. Nothing is repaired silently: a page size above the limit is refused, not cut.",
      "**Unknown parameters** are ignored and named in the header `X-Ignored-Parameters`, so that a typo is visible.",
      "**Methods.** GET and HEAD, but where a page says otherwise.",
    ),
    "## Every answer",
    bullets(
      "**Pages.** Each list has a total order, so pages joined are the whole list, no record twice. The end is a page with fewer records than asked for; no match is an empty list.",
      '**`Link`.** A full page says where the list goes on: `Link: </api/v2/news?pageSize=15&cursor=…>; rel="next"`, the same request with a cursor in place of the page number. Send the key with it as before: it is not in the address. Walked so, a list never repeats a record and never misses one that was there throughout, whatever is imported or removed meanwhile, and every page costs about what the first does. A record whose place in the order is changed meanwhile may be met again or not at all.',
      '**Unknown values** are `""`, `0`, `false` or `[]`, never `null`. Fields marked “when known” are left out instead.',
      "**Decimals** are strings, exactly as they were imported.",
      "**Unchanged?** Send the `ETag` of the last answer as `If-None-Match`; 304 means that nothing changed.",
      "**`X-Request-Id`** names the request in the server's log. A plain one sent by the client is kept.",
      "**Limits.** A key may have a rate and a quota. Every answer to it then says how it stands, in `RateLimit`, `RateLimit-Policy` and `X-RateLimit-Limit`, `-Remaining`, `-Reset`. A request too many is answered 429; `Retry-After` says in how many seconds to come back.",
      "**Compression.** `gzip` and `br` when asked for.",
      "**Format.** JSON, unless a page says otherwise. The `Accept` header chooses where there is a choice.",
    ),
    "## Every import",
    bullets(
      "**Files** are `.json` (an array), `.ndjson` or `.jsonl` (an object a line) or `.csv` (a header line of names), any of them also as `.gz`; `-` reads NDJSON from standard input.",
      "**Again.** A record with an id that is known replaces the one before; an identical one changes nothing.",
      "**Unknown** is `null`, an attribute left out, or an empty cell. In CSV, lists and objects are JSON in a cell.",
      "**Refused** are attributes that a page does not list and values of a wrong type, each with the line and the reason. The good records of the file are kept.",
    ),
  ]);
}

/** Lists of the catalogue are imported too; others are extensions. */
function listPage(resource: Listing, importing: readonly string[] = []): string {
  const { title, doc, path, formats, notes } = resource;
  const inputs = parametersOf(resource);
  const chooser = fieldSelector(resource);
  return page([
    `# ${title}`,
    `${prose(doc)}${importing.length === 0 ? " This list is an extension of the interface." : ""}`,
    fence("http", `GET ${path}`),
    bullets(
      `**Answer.** ${describeEnvelope(resource)}`,
      `**Formats.** ${formats.map((format) => code(`application/${format}`)).join(" (default) and ")}`,
      ...(formats.includes("xml") ? [describeXml(resource)] : []),
      ...(hasPathParameters(resource) ? [] : [`**Order.** ${describeOrder(resource)}.`]),
    ),
    "Every request needs a key; what all requests and answers share is on the [index page](README.md).",
    "## Example",
    fence("sh", curl(resource)),
    fence("json", JSON.stringify(inEnvelope(resource, recordExample(resource)), undefined, 2)),
    "## Parameters",
    ...(inputs.length === 0
      ? ["None but the key."]
      : [
          `All but the key${hasPathParameters(resource) ? " and what stands in the path" : ""} are optional.`,
          table(["Name", "Type", "Default", "Allowed", "Meaning"], inputs.map(parameterRow)),
        ]),
    "## Fields",
    ...(chooser === undefined ? [] : [`With \`${chooser}\`, only the fields that it names.`]),
    table(["Name", "Type", "Shown", "Meaning"], fieldRows(resource, chooser)),
    ...(notes.length === 0 ? [] : ["## Notes", paragraphs(notes)]),
    ...importing,
  ]);
}

function importSection(resource: Resource): string[] {
  const hidden = importRows(resource);
  return [
    "## Import",
    "Records are imported in the shape in which they are served, one object a record:",
    fence("sh", `bellwire import ${resource.name} FILE`),
    "A running server takes them too: [Administration](administration.md).",
    `${describeImport(resource)} The smallest record that is accepted:`,
    fence("json", JSON.stringify(minimalRecord(resource))),
    ...(hidden.length === 0
      ? []
      : ["These attributes are imported and asked by, but never shown:", table(["Name", "Type", "Meaning"], hidden)]),
  ];
}

function errorsPage(): string {
  const rows = Object.entries(problems).map(([name, { status, title }]) => [
    `[\`${name}\`](#${name})`,
    String(status),
    title,
  ]);
  const example: WireRecord = {
    type: "/docs/problems#CODE",
    title: "…",
    status: 400,
    detail: "…",
    code: "CODE",
    errors: [{ parameter: "…", given: "…", expected: "…" }],
    request_id: "…",
  };
  return page([
    "# Errors",
    "A request that cannot be answered gets a problem document (RFC 9457), `application/problem+json`; a client that accepts XML but not JSON gets `application/problem+xml`.",
    fence("json", JSON.stringify(example, undefined, 2)),
    "`code` is stable: programs can rely on it. `detail` is for people. `errors` is always there, and lists every mistake in the parameters. When several problems apply, path and method come first, then the key, the format, the scope, the license and the parameters, so that a stranger learns nothing about parameters.",
    table(["Code", "Status", "Title"], rows),
    // Anchors are written out: those made from headings lose the dot of a code.
    ...Object.entries(problems).flatMap(([name, { status, title, doc }]) => [
      `<a id="${name}"></a>\n\n## ${name}`,
      `**${status} ${title}.** ${doc}`,
    ]),
  ]);
}

function describeEnvelope({ envelope }: Listing): string {
  return envelope === "array"
    ? "An array of records."
    : `An object whose key \`${envelope.key}\` holds the array of records.`;
}

/** A page of one record, its large fields filled, which is what the answer beside it shows. */
function curl(resource: Listing): string {
  const heavy = heavyFields(resource);
  const size = findParameter(resource, (part) => part.size === 1);
  const fill =
    heavy.length === 0
      ? undefined
      : findParameter(resource, (part) => heavy.every((name) => part.include?.includes(name)));
  const parameters = [size, fill].flatMap((each) => (each === undefined ? [] : [`&${each.name}=${each.value}`]));
  const path = resource.path.replace(/\{(\w+)\}/g, (_, name: string) => String(resource.fields[name]?.example));
  return `curl "${exampleHost}${path}?token=$BELLWIRE_TOKEN${parameters.join("")}"`;
}

/** How lists look in XML, said with the first list of the record. */
function describeXml({ fields }: Listing): string {
  const list = Object.keys(fields).find((name) => fields[name]?.kind === "list");
  const inside = list === undefined ? "" : `, lists as \`<${list} is_array="true"><item>…</item></${list}>\``;
  return `**XML.** \`<result is_array="true"><item>…</item></result>\`: one element a field${inside}.`;
}

/** Lines of one list stay together; everything else is a paragraph. */
function paragraphs(notes: readonly string[]): string {
  return notes.reduce((text, note) => {
    const inList = note.startsWith("- ") && text.split("\n").at(-1)?.startsWith("- ");
    return `${text}${inList ? "\n" : "\n\n"}${note}`;
  });
}
