// One record of a calendar by its identifier.
import { type Extension, extension } from "../../core/catalog/extension.ts";
import { inPath, textParameter } from "../../core/catalog/parameter.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { rule } from "../../core/catalog/rule.ts";
import { oldestFirst } from "../../core/query/plan.ts";
import { catalog } from "../catalog.ts";
import { news } from "../news.ts";

const id = inPath(
  textParameter("id", "Record identifier", "an identifier", (text) => text, {
    valid: ["a", "5f0a1b2c3d4e5f6071829304", "é", "x".repeat(256)],
    invalid: [],
  }),
);

function calendarItem(resource: Resource): Extension {
  return extension({
    name: `${resource.name}-item`,
    title: `${resource.title}: one record`,
    doc: "One record by its identifier, as a list; empty if there is no such record.",
    path: `${resource.path}/{id}`,
    envelope: resource.envelope,
    fields: resource.fields,
    ...(resource.event === undefined ? {} : { event: { ...resource.event, calendar: resource.title } }),
    order: oldestFirst("id"),
    table: resource,
    rules: [rule({ id }, ({ id }) => (id === undefined ? {} : { where: [{ op: "eq", column: "id", value: id }] }))],
    resources: [resource.name],
    versions: [resource.name],
  });
}

export const calendarItems: readonly Extension[] = catalog.filter((each) => each !== news).map(calendarItem);
