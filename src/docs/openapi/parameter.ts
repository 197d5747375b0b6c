// OpenAPI parameters.
import type { Schema } from "../../core/catalog/field.ts";
import type { Parameter } from "../../core/catalog/parameter.ts";
import { parameterExample, prose } from "../example.ts";

export function parameter(input: Parameter<unknown>): Schema {
  const [name, ...others] = input.names;
  const spellings = others.map((other) => `\`${other}\``).join(", ");
  return {
    name,
    ...(input.inPath === true ? { in: "path", required: true } : { in: "query" }),
    description: [
      prose(input.doc),
      ...(others.length === 0 ? [] : [`Also accepted as ${spellings}.`]),
      ...(input.license === undefined ? [] : [`Requires the license \`${input.license}\`.`]),
    ].join(" "),
    schema: input.schema,
    ...(input.schema.type === "array" ? { style: "form", explode: false } : {}),
    // Disabled, or the interactive page would fill in every parameter.
    examples: { example: { value: parameterExample(input), ...(input.inPath === true ? {} : { "x-disabled": true }) } },
  };
}
