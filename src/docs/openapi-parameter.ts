// An input as a parameter of the OpenAPI document.
import type { Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import { parameterExample, prose } from "./example.ts";

export function parameter(input: Parameter<unknown>): Schema {
  const [name, ...others] = input.names;
  const spellings = others.map((other) => `\`${other}\``).join(", ");
  return {
    name,
    ...(input.inPath === true ? { in: "path", required: true } : { in: "query" }),
    description: [
      prose(input.doc),
      ...(others.length === 0 ? [] : [`Also taken as ${spellings}.`]),
      ...(input.license === undefined ? [] : [`The key needs the license \`${input.license}\`.`]),
    ].join(" "),
    schema: input.schema,
    ...(input.schema.type === "array" ? { style: "form", explode: false } : {}),
    // Marked as off, or the interactive page would fill in every parameter of a request at once.
    examples: { example: { value: parameterExample(input), ...(input.inPath === true ? {} : { "x-disabled": true }) } },
  };
}
