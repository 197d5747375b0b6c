// Flags of `import` that describe files in another form than ours.
import { readFileSync } from "node:fs";
import { UsageError } from "../../config.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import {
  type Mapping,
  type MappingText,
  mergeMappings,
  parseMapping,
  parseMappingFile,
} from "../../ingest/mapping/mapping.ts";
import type { Invocation, Option } from "../command.ts";

export const mappingOptions: Readonly<Record<string, Option>> = {
  map: {
    value: "FIELD=COLUMN",
    help: "column that a field is read from; FIELD=COLUMN:date and FIELD=COLUMN:time read the day and the clock time (New York) of a timestamp; repeatable",
    list: true,
  },
  set: { value: "FIELD=VALUE", help: "value of a field for records that have none; repeatable", list: true },
  ignore: { value: "COLUMN", help: "column to drop; repeatable", list: true },
  "ignore-unknown": { help: "drop attributes that the resource doesn't have, and report each once with its count" },
  "id-from": {
    value: "NAME,NAME…",
    help: "fields or columns from which the ID of a record without one is derived, always the same",
  },
  "stamps-in": { value: "ZONE", help: "time zone of timestamps that have none, such as Europe/Berlin" },
  mapping: {
    value: "FILE",
    help: "JSON file with the same settings: map, set, ignore, ignore-unknown, id-from, stamps-in",
  },
};

/** The settings of a mapping file and of flags. */
export function mappingText(options: Invocation["options"]): MappingText {
  const list = (name: string) => (options[name] ?? []) as readonly string[];
  const flags: MappingText = {
    map: list("map"),
    set: list("set"),
    ignore: list("ignore"),
    "ignore-unknown": options["ignore-unknown"] === true,
    "id-from": namesOf(options["id-from"] as string | undefined),
    "stamps-in": options["stamps-in"] as string | undefined,
  };
  const file = options.mapping as string | undefined;
  return file === undefined ? flags : mergeMappings(parseMappingFile(file, contentOf(file)), flags);
}

export const readMapping = (resource: Resource, options: Invocation["options"]): Mapping =>
  parseMapping(resource, mappingText(options));

function namesOf(text: string | undefined): string[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  if (text !== undefined && names.includes(""))
    throw new UsageError(`--id-from: expected names separated by commas, got "${text}"`);
  return text === undefined ? [] : names;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--mapping: cannot read "${file}": ${(error as Error).message}`);
  }
}
