// Flags that would make rejected values acceptable.
import type { Resource } from "../../core/catalog/resource.ts";
import type { FieldError } from "../../core/record/validate.ts";
import { wallClock } from "../../core/value/timestamp.ts";

export function hintFor({ fields }: Resource, { field: name, received }: FieldError): string | undefined {
  const kind = Object.hasOwn(fields, name) ? fields[name]?.kind : undefined;
  const wall = wallClock(received.replaceAll('"', ""));
  if (wall === undefined) return undefined;
  if (kind === "day") return `--map ${name}=COLUMN:date reads the day of a timestamp`;
  if (kind === "clock") return `--map ${name}=COLUMN:time reads the clock time of a timestamp`;
  return wall.offset === "" ? "--stamps-in ZONE reads timestamps that have no time zone" : undefined;
}
