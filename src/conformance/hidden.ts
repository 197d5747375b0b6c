// Conditions on attributes that no response shows: which records meet them can't be known.
import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Condition, Plan } from "../core/query/plan.ts";
import type { Json, Row } from "../core/record/row.ts";
import type { Known } from "./universe.ts";

/** Whether the known records say everything about what a plan selects by. */
export const isVisible = (resource: Resource, { where }: Plan, records: readonly Known[]): boolean =>
  where.every((condition) => isVisibleCondition(resource, condition, records));

function isVisibleCondition(resource: Resource, condition: Condition, records: readonly Known[]): boolean {
  if (condition.op === "search") return true;
  if (condition.op === "linked") {
    const hidden = hiddenValues(resource, condition.kind);
    // A name is none of the hidden values if those are numbers.
    return hidden.length === 0 || (hidden.every(isNumber) && !condition.values.some(isNumber));
  }
  const { column } = condition;
  // Some hidden attributes follow from shown ones.
  return resource.fields[column]?.shown !== "never" || records.some(({ row }) => row[column] !== "");
}

const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** What a record made of examples can be found by that its response doesn't show. */
function hiddenValues({ fields, links }: Resource, kind: string): readonly string[] {
  const linksOf = (isShown: (field: Field) => boolean): readonly string[] =>
    links[kind]?.(exampleRow(fields, isShown)) ?? [];
  const visible = linksOf(({ shown }) => shown !== "never");
  return linksOf(() => true).filter((value) => !visible.includes(value));
}

function exampleRow(fields: Readonly<Record<string, Field>>, isShown: (field: Field) => boolean): Row {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]): [string, Json] => {
      if (!isShown(field)) return [name, field.empty];
      return [name, field.members === undefined ? field.example : [exampleRow(field.members, isShown)]];
    }),
  );
}
