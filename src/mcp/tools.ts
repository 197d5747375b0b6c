// The tools: each translates its arguments into requests to the API, and the records into a compact table.
import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { CallApi } from "./api.ts";
import { type Arguments, argumentName, argumentSchemas, parametersOf, requiredText } from "./arguments.ts";
import { changesOf } from "./changes.ts";
import { budget, queryList, type Result } from "./list-result.ts";

export type Tool = {
  readonly name: string;
  readonly title: string;
  /** From the catalog alone: nothing that a record says. */
  readonly description: string;
  readonly inputSchema: {
    readonly type: "object";
    readonly properties: Record<string, Schema>;
    readonly required?: string[];
  };
  readonly annotations: {
    readonly readOnlyHint: true;
    readonly destructiveHint: false;
    readonly idempotentHint: true;
    readonly openWorldHint: boolean;
  };
  readonly run: (values: Arguments, call: CallApi) => Promise<Result>;
};

export function toolsFor(catalog: readonly Resource[], extensions: readonly Extension[]): Tool[] {
  const isSearched = ({ searchFields }: Resource) => Object.keys(searchFields).length > 0;
  const searched = catalog.filter(isSearched);
  const calendars = catalog.filter((each) => !isSearched(each));
  const companies = extensions.find(({ computed }) => computed !== undefined);
  return [
    ...(companies === undefined ? [] : [findCompanies(companies)]),
    ...searched.map(searchTool),
    calendarTool(calendars),
    recordTool(catalog, extensions),
    changesTool(catalog),
    describeTool([...catalog, ...(companies === undefined ? [] : [companies])]),
  ];
}

const annotations = (openWorldHint: boolean): Tool["annotations"] => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint,
});

const findCompanies = (listing: Extension): Tool => ({
  name: "find_companies",
  title: "Find companies",
  description: listing.doc,
  inputSchema: { type: "object", properties: { ...argumentSchemas([listing]), ...budget } },
  annotations: annotations(false),
  run: (values, call) => queryList(listing, values, call),
});

const searchTool = (resource: Resource): Tool => ({
  name: `search_${resource.name}`,
  title: `Search ${resource.name}`,
  description: `${resource.doc} Text is returned without markup.`,
  inputSchema: { type: "object", properties: { ...argumentSchemas([resource]), ...budget } },
  annotations: annotations(true),
  run: (values, call) => queryList(resource, { ...asText(resource), ...values }, call),
});

const calendarTool = (calendars: readonly Resource[]): Tool => {
  const names = calendars.map(({ name }) => name);
  return {
    name: "query_calendar",
    title: "Query a calendar",
    description: `Records of a calendar, newest first. ${calendars.map(({ name, doc }) => `${name}: ${doc}`).join(" ")}`,
    inputSchema: {
      type: "object",
      properties: { calendar: { type: "string", enum: names }, ...argumentSchemas(calendars), ...budget },
      required: ["calendar"],
    },
    annotations: annotations(true),
    run: async ({ calendar, ...values }, call) => {
      const name = requiredText({ calendar }, "calendar", names);
      return queryList(calendars.find((each) => each.name === name) as Resource, values, call);
    },
  };
};

const recordTool = (catalog: readonly Resource[], extensions: readonly Extension[]): Tool => {
  const items = catalog.flatMap((resource) =>
    extensions
      .filter((each) => each.table === resource && hasPathParameters(each))
      .map((item) => [resource, item] as const),
  );
  const names = items.map(([{ name }]) => name);
  return {
    name: "get_record",
    title: "Get one record",
    description: "One record by its identifier, with all fields; news with its full text.",
    inputSchema: {
      type: "object",
      properties: {
        resource: { type: "string", enum: names },
        id: { type: ["string", "integer"], description: "As in the column id" },
        ...budget,
      },
      required: ["resource", "id"],
    },
    annotations: annotations(true),
    run: async ({ max_tokens, ...values }, call) => {
      const name = requiredText(values, "resource", names);
      const id = requiredText(values, "id");
      const [resource, item] = items.find(([each]) => each.name === name) as (typeof items)[number];
      const { unfiltered } = resource.intake;
      const known = parametersOf(item).filter(({ names: [name] }) => unfiltered[name] !== undefined);
      const whole = known.map((each) => [argumentName(each), unfiltered[each.names[0]]]);
      const listing = { ...item, path: item.path.replace(/\{\w+\}/, encodeURIComponent(id)) };
      return queryList(listing, { ...asText(item), ...Object.fromEntries(whole), max_tokens }, call);
    },
  };
};

/** Text without markup, where a list offers that. */
function asText(listing: Listing): Arguments {
  const format = parametersOf(listing).find(({ names: [name] }) => name === "format");
  return format?.parse("text") === undefined ? {} : { format: "text" };
}

const changesTool = (catalog: readonly Resource[]): Tool => {
  const names = catalog.map(({ name }) => name);
  return {
    name: "list_changes",
    title: "List what changed",
    description:
      "Records added, updated, or removed at or after a point in time, oldest change first. If there are more, `next` has the arguments that continue. To ask again later, use `next_since`.",
    inputSchema: {
      type: "object",
      properties: {
        resource: { type: "string", enum: names },
        since: {
          type: ["string", "integer"],
          description: "Unix seconds, or an ISO 8601 date or date-time (UTC unless it has an offset)",
        },
        skip: { type: "integer", minimum: 0, default: 0, description: "From `next` of the previous result" },
        skip_removed: { type: "integer", minimum: 0, default: 0, description: "From `next` of the previous result" },
        ...budget,
      },
      required: ["resource", "since"],
    },
    annotations: annotations(true),
    run: async (values, call) => {
      const name = requiredText(values, "resource", names);
      return changesOf(catalog.find((each) => each.name === name) as Resource, values, call);
    },
  };
};

const describeTool = (listings: readonly Listing[]): Tool => {
  const names = listings.map(({ name }) => name);
  return {
    name: "describe_parameters",
    title: "Describe parameters",
    description: "Parameters and fields of a list, what they mean, and which values they expect.",
    inputSchema: {
      type: "object",
      properties: { list: { type: "string", enum: names } },
      required: ["list"],
    },
    annotations: annotations(false),
    run: async (values) => {
      const name = requiredText(values, "list", names);
      const listing = listings.find((each) => each.name === name) as Listing;
      const { path, doc, fields, notes } = listing;
      const shown = Object.entries(fields).filter(([, { shown }]) => shown !== "never");
      return {
        path,
        doc,
        parameters: {
          columns: ["argument", "parameter", "expected", "meaning"],
          rows: parametersOf(listing).map((each) => [argumentName(each), each.names[0], each.expected, each.doc]),
        },
        fields: {
          columns: ["field", "kind", "meaning"],
          rows: shown.map(([field, { kind, doc }]) => [field, kind, doc]),
        },
        notes,
      };
    },
  };
};
