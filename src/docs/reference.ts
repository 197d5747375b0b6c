// Reference pages: an index with what all requests share, a page per list, and the errors.

import type { CompatTable } from "../core/catalog/compat.ts";
import { type EndpointGroup, exampleHost } from "../core/catalog/endpoint.ts";
import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import { heavyFields, minimalRecord, type Resource } from "../core/catalog/resource.ts";
import { mediaTypeOf } from "../core/output/format.ts";
import { problems } from "../core/problem.ts";
import { streamParameters } from "../core/query/stream.ts";
import type { WireRecord } from "../core/record/row.ts";
import { endpointGroups } from "../endpoints/endpoints.ts";
import { compatSection } from "./compat.ts";
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
import { describeEnvelope, describeImport, fieldRows, importRows, parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, page, table } from "./table.ts";

/** File name → Markdown. */
export function referencePages(
  catalog: readonly Resource[],
  extensions: readonly Extension[] = [],
  compat: CompatTable = new Map(),
): Map<string, string> {
  const compatOf = (listing: Listing): string[] => {
    const list = compat.get(listing);
    return list === undefined ? [] : compatSection(list);
  };
  return new Map([
    ["README.md", index(catalog, extensions)],
    ...catalog.map(
      (resource) => [`${resource.name}.md`, listPage(resource, compatOf(resource), importSection(resource))] as const,
    ),
    ...extensions.map((listing) => [`${listing.name}.md`, listPage(listing, compatOf(listing))] as const),
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
    "Parameters and responses of every endpoint. A running server has the same at `/docs`, where requests can be tried, and as an OpenAPI document at `/openapi.json`.",
    table(["Resource", "Path", "Contents"], catalog.map(row)),
    "Extensions, which the interface doesn't define:",
    table(["Extension", "Path", "Contents"], extensions.map(row)),
    "Other endpoints: [bulk files](bulk.md), the [change feed](replication.md) for copies of all records, writing and removing records ([Administration](administration.md)), [Keys](keys.md) and their [Usage](usage.md), [Links](links.md), [Webhooks](webhooks.md), and the status of a server ([Operations](operations.md)). All error codes are on the page [Errors](errors.md).",
    "## Every request",
    bullets(
      "**Key.** Each request needs an API key, with the scope `read` unless a page says otherwise: `token=KEY` in the query, or the header `Authorization: Bearer KEY` or `Authorization: token KEY`, which don't end up in logs. Two different keys are an error.",
      "**Names** are case-sensitive. Brackets may be percent-encoded.",
      "**Lists** (csv) are comma-separated. Spaces around members, empty members, and duplicates are ignored.",
      "**Empty** values count as absent. Sending a parameter twice is an error.",
      "**Case.** Choices are case-sensitive. Ticker symbols, ISINs, CUSIPs, country codes, and names (authors, channels, categories) are not.",
      "**Days** are `YYYY-MM-DD`; ranges are inclusive. A single day can't be combined with a range.",
      "**Errors** are reported all at once, each with the parameter, the value received, and the value expected. Nothing is corrected silently: a page size above the limit is an error.",
      "**Unknown parameters** are ignored and listed in the header `X-Ignored-Parameters`, so that typos are visible.",
      "**Hints.** Symbols such as `NASDAQ:AAPL` and `BRK/B`, and quoted members of a list, are compared as they are; the header `X-Hint` suggests what was probably meant.",
      "**Other implementations.** With the setting `compat`, or for keys with that term, requests of clients of other implementations are accepted too: [Coming from another implementation](../compat.md). Changed values are listed in the header `X-Adjusted-Parameters`.",
      "**Methods.** GET and HEAD, unless a page says otherwise.",
    ),
    "## Every response",
    bullets(
      "**Pages.** Each list has a total order: its pages contain every record exactly once. The last page has fewer records than requested; no match is an empty list.",
      '**`Link`.** A full page has the URL of the next one: `Link: </api/v2/news?pageSize=15&cursor=…>; rel="next"`, the same request with a cursor instead of the page number and without the key, which must be sent again. Pages read this way never repeat a record and never miss one, whatever is imported or removed at the same time, and every page is as fast as the first. Only a record whose position changes may appear twice or not at all.',
      "**`X-Stream-Position`**, of the seven resources: where the [stream](../streams.md) of the list continues, as its parameter `since`.",
      '**Unknown values** are `""`, `0`, `false` or `[]`, never `null`. Fields marked “when known” are omitted instead.',
      "**Decimals** are strings, exactly as imported.",
      "**Unchanged?** Send the `ETag` of the last response as `If-None-Match`; 304 means that nothing has changed.",
      "**`X-Request-Id`** identifies the request in the server's log. A valid one sent by the client is used.",
      "**Limits.** A key may have a rate limit and a quota. Every response then has its state in `RateLimit`, `RateLimit-Policy`, and `X-RateLimit-Limit`, `-Remaining`, `-Reset`. Requests beyond a limit get 429 with `Retry-After` in seconds.",
      "**Compression.** `gzip` and `br` on request.",
      "**Format.** JSON, or another format of the page by the `Accept` header, or by `output` for clients that can't set headers: [Formats](../formats.md).",
    ),
    "## Every import",
    bullets(
      "**Files** are `.json` (an array), `.ndjson` or `.jsonl` (one object per line), or `.csv` or `.tsv` (with a header line), each optionally compressed as `.gz` or `.zst`; or `.parquet`. `-` reads NDJSON from standard input. [Importing](../import.md) covers files in other forms.",
      "**Repeated imports.** A record with a known ID replaces the previous one; an identical one changes nothing.",
      "**Unknown** is `null`, a missing attribute, or an empty cell. In CSV, lists and objects are JSON in a cell.",
      "**Invalid records**, with unknown attributes or values of the wrong type, are reported with line and reasons. The valid records of the file are stored.",
    ),
  ]);
}

/** Resources have an import section; extensions don't. */
function listPage(resource: Listing, compat: readonly string[], importing: readonly string[] = []): string {
  const { title, doc, path, formats, notes } = resource;
  const parameters = parametersOf(resource);
  const chooser = fieldSelector(resource);
  return page([
    `# ${title}`,
    `${prose(doc)}${importing.length === 0 ? " This list is an extension of the interface." : ""}`,
    fence("http", `GET ${path}`),
    bullets(
      `**Response.** ${describeEnvelope(resource)}`,
      `**Formats.** ${formats.map((format) => code(mediaTypeOf(format))).join(", ")}`,
      ...(formats.includes("xml") ? [describeXml(resource)] : []),
      ...(hasPathParameters(resource) ? [] : [`**Order.** ${describeOrder(resource)}.`]),
    ),
    "Every request needs a key; what all requests and responses share is on the [index page](README.md).",
    "## Example",
    fence("sh", curl(resource)),
    fence("json", JSON.stringify(inEnvelope(resource, recordExample(resource)), undefined, 2)),
    "## Parameters",
    ...(parameters.length === 0
      ? ["Only the key."]
      : [
          `All except the key${hasPathParameters(resource) ? " and those in the path" : ""} are optional.`,
          table(["Name", "Type", "Default", "Allowed", "Meaning"], parameters.map(parameterRow)),
        ]),
    "## Fields",
    ...(chooser === undefined ? [] : [`With \`${chooser}\`, only the fields it names.`]),
    table(["Name", "Type", "Shown", "Meaning"], fieldRows(resource, chooser)),
    ...(notes.length === 0 ? [] : ["## Notes", paragraphs(notes)]),
    ...("table" in resource ? [] : streamSection(resource)),
    ...compat,
    ...importing,
  ]);
}

function streamSection(resource: Resource): string[] {
  const accepted = streamParameters(resource);
  const rejected = parametersOf(resource).filter(({ names }) => !accepted.some((each) => each.names[0] === names[0]));
  return [
    "## Stream",
    "Created, updated, and removed records as server-sent events:",
    fence("sh", `curl -N "${exampleHost}${resource.path}/stream?token=$BELLWIRE_TOKEN"`),
    `The parameters are those of the list, except ${rejected.map(({ names: [name] }) => code(name)).join(", ")}, which are errors, and \`since\`, the position to continue after. See [Streams](../streams.md).`,
  ];
}

function importSection(resource: Resource): string[] {
  const hidden = importRows(resource);
  return [
    "## Import",
    "Records are imported in the form in which they are served, one object per record:",
    fence("sh", `bellwire import ${resource.name} FILE`),
    "A running server accepts them too: [Administration](administration.md).",
    `${describeImport(resource)} The smallest valid record:`,
    fence("json", JSON.stringify(minimalRecord(resource))),
    ...(hidden.length === 0
      ? []
      : [
          "These attributes are imported but never shown; those that are not stored only can be filtered by:",
          table(["Name", "Type", "Meaning"], hidden),
        ]),
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
    "A failed request gets a problem document (RFC 9457), `application/problem+json`; a client that accepts XML but not JSON gets `application/problem+xml`.",
    fence("json", JSON.stringify(example, undefined, 2)),
    "`code` is stable: programs can rely on it. `detail` is for people. `errors` is always present and lists all parameter errors. If several problems apply, path and method come first, then the key, the format, the scope, the license, and the parameters, so that clients without a key learn nothing about parameters.",
    table(["Code", "Status", "Title"], rows),
    // Explicit anchors: generated ones would lose the dot.
    ...Object.entries(problems).flatMap(([name, { status, title, doc }]) => [
      `<a id="${name}"></a>\n\n## ${name}`,
      `**${status} ${title}.** ${doc}`,
    ]),
  ]);
}

/** A request for one record with its heavy fields, as in the example response. */
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

function describeXml({ fields }: Listing): string {
  const list = Object.keys(fields).find((name) => fields[name]?.kind === "list");
  const inside = list === undefined ? "" : `, lists as \`<${list} is_array="true"><item>…</item></${list}>\``;
  return `**XML.** \`<result is_array="true"><item>…</item></result>\`: one element per field${inside}.`;
}

/** Joins notes: items of a list with a line break, everything else as paragraphs. */
function paragraphs(notes: readonly string[]): string {
  return notes.reduce((text, note) => {
    const inList = note.startsWith("- ") && text.split("\n").at(-1)?.startsWith("- ");
    return `${text}${inList ? "\n" : "\n\n"}${note}`;
  });
}
