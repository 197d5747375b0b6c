// What the compatibility switch adds to a list, from its table: for the reference and, labeled `x-compat`, OpenAPI.

import { type CompatList, queryParameters, rulesFor } from "../core/catalog/compat.ts";
import type { Listing } from "../core/catalog/extension.ts";
import type { Schema } from "../core/catalog/field.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import { describeOrder, prose, shownFields } from "./example.ts";
import { describeEnvelope, parameterRow } from "./reference-rows.ts";
import { bullets, code, table } from "./table.ts";

type Differences = {
  readonly response: readonly string[];
  /** Sentences by parameter. */
  readonly parameters: readonly (readonly [name: string, texts: readonly string[]])[];
};

function differences(list: CompatList): Differences {
  const { listing, variant } = list;
  const known = new Map(queryParameters(listing).map((each) => [each.names[0], each]));
  return {
    response: responseDifferences(listing, variant),
    parameters: queryParameters(variant).flatMap((parameter) => {
      const texts = [
        ...ownDifferences(known.get(parameter.names[0]), parameter),
        ...list.aliases
          .filter((alias) => alias.parameter === parameter.names[0])
          .map(({ name, accepts }) =>
            accepts === undefined
              ? `Also as ${code(name)}.`
              : `Also as ${code(name)}, if it is one of ${accepts.map(code).join(", ")}; ignored otherwise.`,
          ),
        ...rulesFor(list, parameter).map(({ doc }) => prose(doc)),
      ];
      return texts.length === 0 ? [] : [[parameter.names[0], texts] as const];
    }),
  };
}

function ownDifferences(known: Parameter<unknown> | undefined, parameter: Parameter<unknown>): string[] {
  if (known === undefined) return [`Added: ${prose(parameter.doc)}`];
  if (JSON.stringify(known.schema) === JSON.stringify(parameter.schema)) return [];
  const [, , fallback, allowed] = parameterRow(parameter);
  const isSameDefault = known.schema.default === parameter.schema.default;
  return [isSameDefault ? `Allowed: ${allowed}.` : `Default ${fallback}.`];
}

function responseDifferences(listing: Listing, variant: Listing): string[] {
  const known = new Map(shownFields(listing).map(([name, { doc }]) => [name, doc]));
  const changed = shownFields(variant).filter(([name, { doc }]) => known.get(name) !== doc);
  const removed = [...known.keys()].filter((name) => variant.fields[name] === undefined);
  return [
    ...(listing.envelope === variant.envelope ? [] : [`**Response.** ${describeEnvelope(variant)}`]),
    ...(listing.order === variant.order ? [] : [`**Order.** ${describeOrder(variant)}.`]),
    ...changed.map(([name, { doc }]) => `**Field** ${code(name)}: ${prose(doc)}`),
    ...(removed.length === 0 ? [] : [`**Without** ${removed.map(code).join(", ")}.`]),
  ];
}

/** Section of a reference page. */
export function compatSection(list: CompatList): string[] {
  const { response, parameters } = differences(list);
  const paths = list.paths.map(({ path }) => code(path));
  const lines = [...(paths.length === 0 ? [] : [`**Paths.** ${paths.join(", ")}`]), ...response];
  if (lines.length === 0 && parameters.length === 0) return [];
  return [
    "## With `--compat`",
    "For clients of other implementations: with the setting, or for keys with the term, the following applies as well ([Coming from another implementation](../compat.md)). Names of parameters are then accepted in other casings, with and without brackets.",
    ...(lines.length === 0 ? [] : [bullets(...lines)]),
    ...(parameters.length === 0
      ? []
      : [
          table(
            ["Name", "Difference"],
            parameters.map(([name, texts]) => [code(name), texts.join(" ")]),
          ),
        ]),
  ];
}

/** The same for an operation of the OpenAPI document. */
export function compatLabel(list: CompatList): Schema {
  const { response, parameters } = differences(list);
  return {
    description: "Only with the setting `compat`, or for keys with the term `compat`",
    paths: list.paths.map(({ path }) => path),
    response,
    parameters: Object.fromEntries(parameters),
  };
}
