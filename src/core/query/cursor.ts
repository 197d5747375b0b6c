// Cursors: a position in a list, with a check on the request it belongs to, as one text that only the server reads.
import { hash } from "node:crypto";
import { fieldOf } from "../catalog/resource.ts";
import { canonicalList, type Plan, type Position } from "./plan.ts";

/** A cursor as it was given: well formed, but of any request. */
export type Cursor = { readonly text: string; readonly position: Position };

/** The form of all that follows; a later form gets another one. */
const version = "1";

/** 48 bits in base64url: against mistakes, not against forgers, who gain nothing by a position of their own. */
const checkLength = 8;

/** The cursor of all that comes after a position, for any size of page and any view of the records. */
export function cursorAt(plan: Plan, position: Position): string {
  const values = JSON.stringify(position);
  const check = hash("sha1", `${canonicalList(plan)}${values}`, "base64url").slice(0, checkLength);
  return `${version}${check}${Buffer.from(values).toString("base64url")}`;
}

export function readCursor(text: string): Cursor | undefined {
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

/** Where a cursor points in the list of a plan; undefined when it is damaged or belongs to another list. */
export function positionIn(plan: Plan, { text, position }: Cursor): Position | undefined {
  return isPositionOf(plan, position) && cursorAt(plan, position) === text ? position : undefined;
}

/** Whether a record could stand there: a position that someone made up must not trouble a store. */
function isPositionOf({ resource, order, ranked }: Plan, position: Position): boolean {
  const values = ranked ? position.slice(1) : position;
  if (values.length !== order.length) return false;
  if (ranked && !Object.keys(resource.places).some((_, place) => place === position[0])) return false;
  return order.every(({ column }, index) => {
    const field = fieldOf(resource, column);
    let refused = false;
    const value = field.accept(values[index], () => {
      refused = true;
    });
    return !refused && field.compare(value) === values[index];
  });
}
