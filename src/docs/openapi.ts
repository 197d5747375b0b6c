// The catalogue as an OpenAPI 3.1 document: one operation a resource, every input a parameter, every field a property.

import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Format, Resource } from "../core/catalog/resource.ts";
import { codesFor } from "../core/problem.ts";
import { endpointGroups } from "../endpoints/endpoints.ts";
import {
  describeOrder,
  emittedExample,
  fieldSelector,
  inEnvelope,
  parametersOf,
  prose,
  recordExample,
  shownFields,
} from "./example.ts";
import { endpointPaths } from "./openapi-endpoints.ts";
import { parameter } from "./openapi-parameter.ts";
import { headerComponents, limitHeaders, problemComponents, problemRefs, refs } from "./openapi-problems.ts";

const mediaTypes: Record<Format, string> = { json: "application/json", xml: "application/xml" };
const records = { name: "Records", description: "News and calendars. Every request carries an API key." };
const beside = {
  name: "Extensions",
  description:
    "Lists beside those of the interface, which has none of them: what was removed, one item, and what filters can be asked by. They take the same keys.",
};

const about = `News and calendar records over plain GET requests.

- **Key.** Each holds scopes: \`read\` for the lists, others for what changes or copies data. Send it as \`token=KEY\`, or as \`Authorization: Bearer KEY\` or \`Authorization: token KEY\`, which keep it out of logs.
- **Lists** are comma-separated. An empty value counts as not given.
- **Pages** are counted from 0; the end is a page with fewer records than were asked for. Every other page carries a \`Link\` header to the page after it, by a \`cursor\`, which stays right while records come and go.
- **Mistakes** are reported all at once, and nothing is repaired silently. A parameter that means nothing is ignored and named in \`X-Ignored-Parameters\`.
- **Unknown values** are \`""\`, \`0\`, \`false\` or \`[]\`, never \`null\`.
- **Compression**: \`gzip\` and \`br\` when asked for.`;

export function openapi(
  catalog: readonly Resource[],
  info: { version: string },
  extensions: readonly Extension[] = [],
): object {
  const groups = Object.values(endpointGroups(catalog));
  return {
    openapi: "3.1.1",
    info: {
      title: "Bellwire",
      version: info.version,
      summary: "Financial news and calendar data",
      description: about,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server" }],
    tags: [records, beside, ...new Set(groups.map(({ tag }) => tag))],
    security: [{ token: [] }, { bearer: [] }, { authorization: [] }],
    paths: {
      ...Object.fromEntries(catalog.map((each) => [each.path, { get: operation(each, records.name) }])),
      ...Object.fromEntries(extensions.map((each) => [each.path, { get: operation(each, beside.name) }])),
      ...endpointPaths(groups, catalog),
    },
    components: {
      securitySchemes: {
        token: { type: "apiKey", in: "query", name: "token", description: "API key in the query" },
        bearer: { type: "http", scheme: "bearer", description: "API key as a bearer token" },
        authorization: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "API key after the word token: `token KEY`",
        },
      },
      parameters: {
        IfNoneMatch: {
          name: "If-None-Match",
          in: "header",
          description: "`ETag` of an answer the client holds; 304 when it still stands",
          schema: { type: "string" },
        },
      },
      headers: headerComponents,
      schemas: {
        ...Object.assign({}, ...[...catalog, ...extensions].map(schemas)),
        ...Object.assign({}, ...groups.map(({ schemas }) => schemas)),
        ...problemComponents.schemas,
      },
      responses: problemComponents.responses(catalog),
    },
  };
}

function operation(resource: Listing, tag: string): Schema {
  const { name, title, doc, formats, notes } = resource;
  const types = formats.map((format) => `\`${mediaTypes[format]}\``);
  const example = inEnvelope(resource, recordExample(resource));
  const schema = { $ref: `#/components/schemas/${pascal(name)}List` };
  const content = (format: Format): Schema => (format === "json" ? { schema, example } : { schema });
  const xml = formats.includes("xml");
  return {
    operationId: `list${pascal(name)}`,
    summary: title,
    description: [
      prose(doc),
      `Answers ${types.join(" or ")}${types.length > 1 ? ", as the `Accept` header asks" : " only"}.`,
      ...(hasPathParameters(resource) ? [] : [`Ordered by ${describeOrder(resource)}.`]),
      ...notes,
    ].join("\n\n"),
    tags: [tag],
    ...("display" in resource ? { "x-display": resource.display as Schema } : {}),
    parameters: [...parametersOf(resource).map(parameter), { $ref: "#/components/parameters/IfNoneMatch" }],
    responses: {
      "200": {
        description: "A page of records; an empty list when none match",
        headers: refs("X-Request-Id", "Age", "ETag", "Link", "Vary", "X-Ignored-Parameters", ...limitHeaders),
        content: Object.fromEntries(formats.map((format) => [mediaTypes[format], content(format)])),
      },
      "304": {
        description: "Unchanged since the given `ETag`",
        headers: refs("X-Request-Id", "Age", "ETag", "Vary", ...limitHeaders),
      },
      ...problemRefs(codesFor("read"), xml),
    },
  };
}

/** The record of a resource and its page, as two named schemas. */
function schemas(resource: Listing): Record<string, Schema> {
  const { name, title, envelope, formats } = resource;
  const fields = shownFields(resource);
  const chooser = fieldSelector(resource);
  const xml = formats.includes("xml");
  // A request that chooses fields may leave out any of them.
  const required = chooser === undefined ? fields.filter(([, each]) => each.shown === "always" && !each.optional) : [];
  const shown = {
    always: "",
    never: "",
    "on request": `Only when \`${chooser}\` names it.`,
    "with *": `Only with \`${chooser}=*\`.`,
  };
  const property = ([field, each]: (typeof fields)[number]): [string, Schema] => {
    const example = emittedExample(field, each);
    const description = [prose(each.doc), shown[each.shown]].join(" ").trim();
    const described = { ...(xml ? withXmlNames(each.schema) : each.schema), description };
    return [field, example === undefined ? described : { ...described, examples: [example] }];
  };
  const list: Schema = {
    type: "array",
    items: { $ref: `#/components/schemas/${pascal(name)}Record` },
    ...(xml ? { xml: { name: "result", wrapped: true } } : {}),
  };
  return {
    [`${pascal(name)}Record`]: {
      type: "object",
      description: `One record of: ${title}.${chooser === undefined ? "" : ` With \`${chooser}\`, only the fields asked for.`}`,
      properties: Object.fromEntries(fields.map(property)),
      ...(required.length === 0 ? {} : { required: required.map(([field]) => field) }),
      ...(xml ? { xml: { name: "item" } } : {}),
    },
    [`${pascal(name)}List`]:
      envelope === "array" ? list : { type: "object", properties: { [envelope.key]: list }, required: [envelope.key] },
  };
}

/** Lists are written as an element that holds one `item` element for each member. */
function withXmlNames(schema: Schema): Schema {
  if (schema.type !== "array") return schema;
  return { ...schema, xml: { wrapped: true }, items: { ...(schema.items as Schema), xml: { name: "item" } } };
}

const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
