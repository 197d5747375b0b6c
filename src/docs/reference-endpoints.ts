// A group of endpoints as a reference page: a section for each, with a request, its response, and its parameters.

import {
  type Block,
  type Endpoint,
  type EndpointGroup,
  type EndpointPage,
  exampleHost,
  type Success,
} from "../core/catalog/endpoint.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { problems } from "../core/problem.ts";
import type { Json } from "../core/record/row.ts";
import { endpointParameters } from "./example.ts";
import { parameterRow } from "./reference-rows.ts";
import { bullets, code, fence, page, table } from "./table.ts";

/** Longer examples are indented. */
const longestLine = 120;

export function endpointsPage(
  about: EndpointPage,
  { endpoints, schemas }: EndpointGroup,
  catalog: readonly Resource[],
): string {
  const all = Object.values(endpoints);
  const [{ scope = "" } = {}] = all;
  const section = ([title, blocks]: [string, readonly Block[]]): string[] => [`## ${title}`, ...blocks.map(printBlock)];
  // A schema is shown where it first occurs, and a member where it is first described.
  const tables = Object.values(about.sections ?? {}).flatMap((blocks) =>
    blocks.flatMap((block) => (typeof block === "object" && "rows" in block ? block.rows : [])),
  );
  const shown = new Set(tables.map(([name = ""]) => name));
  return page([
    `# ${about.title}`,
    about.intro,
    fence("http", all.map(({ method, path }) => `${method} ${plainPath(path)}`).join("\n")),
    ...(all.some(({ perResource }) => perResource)
      ? [`${code("RESOURCE")} is one of ${catalog.map(({ name }) => code(name)).join(", ")}.`]
      : []),
    bullets(
      `**Key.** One with the scope ${code(scope)}, in the \`Authorization\` header only; a \`token\` in the query is rejected, since queries end up in logs.`,
      ...about.bullets,
    ),
    ...(about.key === undefined
      ? []
      : [
          fence(
            "sh",
            `export BELLWIRE_TOKEN=$(bellwire keys create --name ${about.key} --scope ${about.keyScopes ?? scope})`,
          ),
        ]),
    ...Object.entries(about.sections ?? {}).flatMap(section),
    ...all.flatMap((endpoint) => endpointBlocks(endpoint, schemas, catalog, shown)),
    ...Object.entries(about.after ?? {}).flatMap(section),
    `Errors that all requests share are on the page [Errors](errors.md).${about.end === undefined ? "" : ` ${about.end}`}`,
  ]);
}

function endpointBlocks(
  endpoint: Endpoint,
  schemas: EndpointGroup["schemas"],
  catalog: readonly Resource[],
  shown: Set<string>,
): string[] {
  const { summary, description, notes = [], responses, problems: own = [] } = endpoint;
  const inputs = endpointParameters(endpoint, catalog);
  const [first, ...others] = Object.values(responses);
  const schema = typeof first?.schema === "string" ? first.schema : undefined;
  const isNew = schema !== undefined && !shown.has(schema);
  const members = isNew ? memberRows(schemas[schema] ?? {}).filter(([name = ""]) => !shown.has(name)) : [];
  for (const name of [...(schema === undefined ? [] : [schema]), ...members.map(([member = ""]) => member)])
    shown.add(name);
  return [
    `## ${summary}`,
    fence("sh", curl(endpoint)),
    ...(isNew || schema === undefined ? exampleBlock(first) : []),
    ...description,
    ...notes.map(printBlock),
    ...(inputs.length === 0
      ? []
      : ["### Parameters", table(["Name", "Type", "Default", "Allowed", "Meaning"], inputs.map(parameterRow))]),
    ...(own.length + others.length === 0 && members.length === 0 ? [] : ["### Response"]),
    ...(own.length + others.length === 0 ? [] : [statusTable(responses, own)]),
    ...(members.length === 0 ? [] : [table(["Name", "Meaning"], members)]),
    ...others.flatMap(exampleBlock),
  ];
}

const exampleBlock = (response: Success | undefined): string[] => {
  if (response?.example === undefined) return [];
  if (response.type !== undefined) return [fence("text", String(response.example).trimEnd())];
  const line = JSON.stringify(response.example);
  return [fence("json", line.length > longestLine ? JSON.stringify(response.example, undefined, 2) : line)];
};

const statusTable = (responses: Endpoint["responses"], own: NonNullable<Endpoint["problems"]>): string =>
  table(
    ["Status", "When"],
    [
      ...Object.entries(responses).map(([status, { description }]) => [status, description]),
      ...own.map((each) => [
        String(problems[each].status),
        `${problems[each].title}: [\`${each}\`](errors.md#${each})`,
      ]),
    ],
  );

/** Every described member, those of members after it: `resources[].name`, `cache.bytes`. */
function memberRows(schema: Schema, prefix = ""): string[][] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return properties.flatMap(([name, each]) => [
    ...(each.description === undefined ? [] : [[code(`${prefix}${name}`), meaning(each)]]),
    ...memberRows(each, `${prefix}${name}.`),
    ...memberRows((each.items ?? {}) as Schema, `${prefix}${name}[].`),
  ]);
}

const meaning = ({ description, enum: words }: Schema): string =>
  words === undefined ? String(description) : `${description}. One of ${(words as string[]).map(code).join(", ")}`;

/** `/admin/v1/keys/NAME` */
const plainPath = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());

function curl({ method, path, scope, body, example = {} }: Endpoint): string {
  const { segments = {}, query } = example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(segments[name] ?? ""));
  const sent: Json | undefined = example.body ?? (body?.kind === "object" ? body.example : undefined);
  const hasOwnMethod = method !== "GET" && !(method === "POST" && sent !== undefined);
  return [
    `curl -sS "${exampleHost}${filled}${query === undefined ? "" : `?${query}`}"`,
    ...(scope === undefined ? [] : ['-H "Authorization: Bearer $BELLWIRE_TOKEN"']),
    ...(hasOwnMethod ? [`-X ${method}`] : []),
    ...(body?.kind === "records" ? ['-H "Content-Type: application/json"'] : []),
    ...(sent === undefined ? [] : [`-d '${JSON.stringify(sent)}'`]),
  ].join(" \\\n  ");
}

function printBlock(block: Block): string {
  if (typeof block === "string") return block;
  return "sh" in block ? fence("sh", block.sh) : table(block.head, block.rows);
}
