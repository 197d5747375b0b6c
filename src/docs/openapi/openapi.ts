// The OpenAPI 3.1 document: an operation for each list and endpoint.

import type { CompatList, CompatTable } from "../../core/catalog/compat.ts";
import { type Extension, hasPathParameters, type Listing } from "../../core/catalog/extension.ts";
import type { Schema } from "../../core/catalog/field.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type Format, mediaTypeOf } from "../../core/output/format.ts";
import { codesFor } from "../../core/problem.ts";
import { endpointGroups } from "../../endpoints/endpoints.ts";
import { compatLabel } from "../compat.ts";
import {
  describeOrder,
  emittedExample,
  fieldSelector,
  inEnvelope,
  parametersOf,
  pascal,
  prose,
  recordExample,
  shownFields,
} from "../example.ts";
import { endpointPaths } from "./endpoints.ts";
import { parameter } from "./parameter.ts";
import { headerComponents, limitHeaders, problemComponents, problemRefs, refs } from "./problems.ts";
import { lastEventId, streamPaths, streams } from "./streams.ts";

const records = { name: "Records", description: "News and calendars. Every request requires an API key." };
const related = {
  name: "Extensions",
  description:
    "Lists that the interface doesn't define: removed records, single items, and values of filters. They use the same keys.",
};

const about = `News and calendar records over plain GET requests.

- **Key.** Each has scopes: \`read\` for lists, others to change or copy data. Send it as \`token=KEY\`, or as \`Authorization: Bearer KEY\` or \`Authorization: token KEY\`, which keep it out of logs.
- **Lists** are comma-separated. An empty value counts as absent.
- **Pages** are counted from 0; the last page has fewer records than requested. Every other page has a \`Link\` header with the URL of the next page, by a \`cursor\`, which stays correct while records are added and removed.
- **Errors** are reported all at once; nothing is corrected silently. Unknown parameters are ignored and listed in \`X-Ignored-Parameters\`. What a server with the setting \`compat\` accepts besides is labeled \`x-compat\`.
- **Unknown values** are \`""\`, \`0\`, \`false\` or \`[]\`, never \`null\`.
- **Compression**: \`gzip\` and \`br\` on request.`;

export function openapi(
  catalog: readonly Resource[],
  info: { version: string },
  extensions: readonly Extension[] = [],
  compat: CompatTable = new Map(),
): object {
  const get = (each: Listing, tag: string) => ({ get: operation(each, tag, compat.get(each)) });
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
    tags: [records, related, streams, ...new Set(groups.map(({ tag }) => tag))],
    security: [{ token: [] }, { bearer: [] }, { authorization: [] }],
    paths: {
      ...Object.fromEntries(catalog.map((each) => [each.path, get(each, records.name)])),
      ...Object.fromEntries(extensions.map((each) => [each.path, get(each, related.name)])),
      ...streamPaths(catalog),
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
          description: "`ETag` of a response the client has; 304 if it is still current",
          schema: { type: "string" },
        },
        LastEventId: lastEventId,
      },
      headers: headerComponents,
      schemas: {
        ...Object.assign({}, ...[...catalog, ...extensions].map(recordSchemas)),
        ...Object.assign({}, ...groups.map(({ schemas }) => schemas)),
        ...problemComponents.schemas,
      },
      responses: problemComponents.responses(catalog),
    },
  };
}

function operation(resource: Listing, tag: string, compat: CompatList | undefined): Schema {
  const { name, title, doc, formats, notes } = resource;
  const example = inEnvelope(resource, recordExample(resource));
  const schema = { $ref: `#/components/schemas/${pascal(name)}List` };
  const content = (format: Format): Schema => {
    if (format === "json") return { schema, example };
    return format === "xml" ? { schema } : { schema: { type: "string" } };
  };
  const xml = formats.includes("xml");
  const position = "table" in resource ? [] : ["X-Stream-Position"];
  return {
    operationId: `list${pascal(name)}`,
    summary: title,
    description: [
      prose(doc),
      `Returns ${formats.map((format) => `\`${mediaTypeOf(format)}\``).join(", ")}, by the \`Accept\` header or \`output\`.`,
      ...(hasPathParameters(resource) ? [] : [`Ordered by ${describeOrder(resource)}.`]),
      ...notes,
    ].join("\n\n"),
    tags: [tag],
    ...("display" in resource ? { "x-display": resource.display as Schema } : {}),
    ...(compat === undefined ? {} : { "x-compat": compatLabel(compat) }),
    parameters: [...parametersOf(resource).map(parameter), { $ref: "#/components/parameters/IfNoneMatch" }],
    responses: {
      "200": {
        description: "A page of records; an empty list when none match",
        headers: refs(
          "X-Request-Id",
          "Age",
          "ETag",
          "Link",
          "Vary",
          ...position,
          "X-Ignored-Parameters",
          "X-Adjusted-Parameters",
          "X-Hint",
          ...limitHeaders,
        ),
        content: Object.fromEntries(formats.map((format) => [mediaTypeOf(format), content(format)])),
      },
      "304": {
        description: "Unchanged since the `ETag`",
        headers: refs("X-Request-Id", "Age", "ETag", "Vary", ...position, ...limitHeaders),
      },
      ...problemRefs(codesFor("read"), xml),
    },
  };
}

/** The record of a resource and its page, as two named schemas. */
export function recordSchemas(resource: Listing): Record<string, Schema> {
  const { name, title, envelope, formats } = resource;
  const fields = shownFields(resource);
  const chooser = fieldSelector(resource);
  const xml = formats.includes("xml");
  // A request that selects fields may omit any of them.
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
      description: `One record of: ${title}.${chooser === undefined ? "" : ` With \`${chooser}\`, only the selected fields.`}`,
      properties: Object.fromEntries(fields.map(property)),
      ...(required.length === 0 ? {} : { required: required.map(([field]) => field) }),
      ...(xml ? { xml: { name: "item" } } : {}),
    },
    [`${pascal(name)}List`]:
      envelope === "array" ? list : { type: "object", properties: { [envelope.key]: list }, required: [envelope.key] },
  };
}

/** A list is an element with one `item` element per member. */
function withXmlNames(schema: Schema): Schema {
  if (schema.type !== "array") return schema;
  return { ...schema, xml: { wrapped: true }, items: { ...(schema.items as Schema), xml: { name: "item" } } };
}
