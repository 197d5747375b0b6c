// Cursors: opaque text that encodes a position in a list, with a checksum of the request it belongs to.
import { hash } from "node:crypto";
import type { Parameter } from "../catalog/parameter.ts";
import { fieldOf } from "../catalog/resource.ts";
import { listKey, type Plan, type Position } from "./plan.ts";

/** Well-formed, but possibly of another request. */
export type Cursor = { readonly text: string; readonly position: Position };

const version = "1";

/** 48 bits in base64url: against mistakes, not forgery, which gains nothing. */
const checkLength = 8;

/** Whether a cursor belongs to the request is checked once the plan is complete. */
export const cursorParameter: Parameter<Cursor> = {
  names: ["cursor"],
  doc: "Extension: where to continue in the list, from the Link header of the previous page. The rest of the request must be the same, except for the page size and the form of the records; page must be 0 or absent",
  expected: "a cursor from the Link header of the same request",
  parse: parseCursor,
  isBlank: (text) => text === "",
  schema: { type: "string", pattern: "^1[A-Za-z0-9_-]+$" },
  valid: ["1q7Zs0XcVWyIyMDI0LTExLTA1IiwiMDk6MzA6MDAiLCI2NWYxYzJkNGExYjJjM2Q0ZTVmNjA3MTgiXQ"],
  // No position, an empty one, not base64url, and an unknown version.
  invalid: ["x", "1", "1AAAAAAAAe30", "1AAAAAAAAW10", "1AAAAAAAA!", "2AAAAAAAAWzFd"],
  opaque: true,
  echoLimit: 24,
};

/** A cursor for the records after a position, whatever the page size and the view. */
export function cursorAt(plan: Plan, position: Position): string {
  const values = JSON.stringify(position);
  const check = hash("sha1", `${listKey(plan)}${values}`, "base64url").slice(0, checkLength);
  return `${version}${check}${Buffer.from(values).toString("base64url")}`;
}

export function parseCursor(text: string): Cursor | undefined {
  if (!text.startsWith(version) || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const position: unknown = JSON.parse(
      Buffer.from(text.slice(version.length + checkLength), "base64url").toString("utf8"),
    );
    const isPosition = Array.isArray(position) && position.length > 0 && position.every(isValue);
    return isPosition ? { text, position } : undefined;
  } catch {
    return undefined;
  }
}

const isValue = (value: unknown): boolean => typeof value === "string" || Number.isSafeInteger(value);

/** Undefined if the cursor is damaged or belongs to another list. */
export function positionIn(plan: Plan, { text, position }: Cursor): Position | undefined {
  return isPositionOf(plan, position) && cursorAt(plan, position) === text ? position : undefined;
}

/** Whether a record could have this position: stores must not see forged values. */
function isPositionOf({ resource, order, ranked }: Plan, position: Position): boolean {
  const values = ranked ? position.slice(1) : position;
  if (values.length !== order.length) return false;
  if (ranked && !Object.keys(resource.searchFields).some((_, rank) => rank === position[0])) return false;
  return order.every(({ column }, index) => {
    const field = fieldOf(resource, column);
    let isValid = true;
    const value = field.validate(values[index], () => {
      isValid = false;
    });
    return isValid && field.compareKey(value) === values[index];
  });
}
