// Members of the bodies that administer keys, links, and webhooks: parsing that they share, and what is wrong with them.
import { invalidParameters, type ParameterError, type Problem } from "../core/problem.ts";
import { parameterError } from "./terms.ts";

export type Members = Readonly<Record<string, unknown>>;

export type Failure = { readonly problem: Problem };

export const invalidMembers = (errors: readonly ParameterError[]): Failure => ({
  problem: invalidParameters("request.members", errors),
});

export const unknownMembers = (members: Members, expected: string): ParameterError[] =>
  Object.entries(members).map(([name, value]) => parameterError(name, value, expected));

const hour = 3600;
const defaultGraceHours = 24;
const maxGraceHours = 8760;

/** Of a rotation: how long what is replaced stays valid. */
export function graceSeconds({
  grace_hours: hours = defaultGraceHours,
  ...rest
}: Members): { readonly grace: number } | Failure {
  const errors = unknownMembers(rest, "only grace_hours");
  const isValid = typeof hours === "number" && Number.isInteger(hours) && hours >= 0 && hours <= maxGraceHours;
  if (!isValid) errors.unshift(parameterError("grace_hours", hours, `a whole number from 0 to ${maxGraceHours}`));
  return isValid && errors.length === 0 ? { grace: hours * hour } : invalidMembers(errors);
}
