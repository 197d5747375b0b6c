// Builders of records: what isn't specified has the value of the reference's examples, on the day of the default clock.
import type { Field } from "../src/core/catalog/field.ts";
import type { Resource } from "../src/core/catalog/resource.ts";
import type { Json } from "../src/core/record/row.ts";
import { catalog } from "../src/resources/catalog.ts";
import { defaultTime } from "./clock.ts";

/** Each call returns a different ID. */
export function builder<Built extends object>(name: string): (values?: Partial<Built>) => Built {
  const resource = catalog.find((each) => each.name === name);
  if (resource === undefined) throw new Error(`no resource is named ${name}`);
  let defaults: Readonly<Record<string, Json>> | undefined;
  let built = 0;
  return (values = {}) => {
    defaults ??= defaultsOf(resource);
    // A copy: lists of a record may be changed by the caller.
    return { ...structuredClone(defaults), id: idOf(resource, ++built), ...values } as Built;
  };
}

/** Fields that a response shows or a filter finds; not those that the server computes or stamps. */
function defaultsOf({ fields, intake }: Resource): Record<string, Json> {
  const discoverable = new Set(Object.values(intake.discoverable).map(({ field }) => field));
  const included = Object.entries(fields).filter(
    ([name, { shown, derive }]) => (shown === "always" || discoverable.has(name)) && derive === undefined,
  );
  const withoutStamps = included.filter(([name]) => name !== intake.since.column);
  return Object.fromEntries(withoutStamps.map(([name, field]) => [name, defaultOf(field)]));
}

function defaultOf({ kind, example }: Field): Json {
  if (kind === "day") return defaultTime.slice(0, 10);
  return kind === "instant" ? defaultTime : example;
}

/** Readable in a failed assertion: `rating-0001`. In the order of creation, as text too. */
const idOf = ({ fields, recordName }: Resource, number: number): string | number =>
  fields.id?.kind === "integer" ? number : `${recordName.replaceAll(" ", "-")}-${String(number).padStart(4, "0")}`;
