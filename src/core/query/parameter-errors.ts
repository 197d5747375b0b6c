// Errors of parameters that are valid alone but not together with the format or the size of the response.
import type { Parameter } from "../catalog/parameter.ts";
import { type Format, outputParameter } from "../output/format.ts";
import type { ParameterError } from "../problem.ts";
import type { AppliedRule } from "./planner.ts";
import type { Query } from "./query-string.ts";

/** A value as errors repeat it. */
export function echo(parameter: Parameter<unknown>, texts: readonly string[] = []): string {
  const text = texts.join(", ");
  const limit = parameter.echoLimit ?? text.length;
  return text.length <= limit ? text : `${text.slice(0, limit).toWellFormed()}…`;
}

/** A page and an export exclude each other. */
export function sizeErrors(parts: readonly AppliedRule[], query: Query): ParameterError[] {
  const sent = parts.flatMap(({ names: [name], part }) => (name === undefined ? [] : [{ name, part }]));
  const [exported] = sent.filter(({ part }) => part.exportSize !== undefined);
  const [paged] = sent.filter(({ part }) => part.size !== undefined);
  if (exported === undefined || paged === undefined) return [];
  const error = (name: string, other: string): ParameterError => ({
    parameter: name,
    given: query.get(name)?.[0] ?? "",
    expected: `to be absent with ${other}`,
  });
  return [error(exported.name, paged.name), error(paged.name, exported.name)];
}

/** Parameters that have no meaning in the format of the response. */
export function formatErrors(
  sent: readonly Parameter<unknown>[],
  query: Query,
  format: Format,
  others: readonly ParameterError[],
): ParameterError[] {
  if (others.some(({ parameter }) => parameter === outputParameter)) return [];
  return [...new Set(sent)].flatMap((parameter) => {
    const { formats, names, isBlank } = parameter;
    if (formats === undefined || formats.includes(format)) return [];
    const name = names.find((each) => query.get(each)?.some((text) => !isBlank(text.trim())));
    if (name === undefined || others.some((error) => error.parameter === name)) return [];
    const expected = formats.includes("json")
      ? `to be absent with output=${format}`
      : `to be used with ${formats.map((each) => `output=${each}`).join(" or ")}`;
    return [{ parameter: name, given: echo(parameter, query.get(name)), expected }];
  });
}
