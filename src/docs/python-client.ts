// The generated parts of clients/python/bellwire.py: the types of records, and what it knows about each list.

import type { Extension, Listing } from "../core/catalog/extension.ts";
import type { Field } from "../core/catalog/field.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { clientLists, isResource, listSpec } from "./client-types.ts";
import { pascal, shownFields } from "./example.ts";

const snake = (name: string): string => name.replaceAll("-", "_");

/** The file with its generated parts replaced. */
export function pythonClient(text: string, catalog: readonly Resource[], extensions: readonly Extension[]): string {
  const listings = clientLists(catalog, extensions);
  const attributes = listings.map((each) => {
    const type = isResource(each) ? "StreamedList" : "_List";
    return `        self.${snake(each.name)}: ${type}[${pascal(each.name)}Record] = ${type}(self, _LISTS["${each.name}"])\n`;
  });
  const specs = listings.map((each) => {
    const { poll: _, ...spec } = listSpec(each, extensions);
    return `    "${each.name}": ${JSON.stringify(spec)
      .replaceAll(/:true\b/g, ": True")
      .replaceAll('":', '": ')},\n`;
  });
  const catalogLines = [...listings.map(recordType), "_LISTS: Dict[str, Dict[str, Any]] = {\n", ...specs, "}\n"];
  return replacePart(replacePart(text, "LISTS", attributes.join("")), "CATALOG", catalogLines.join(""));
}

function replacePart(text: string, name: string, part: string): string {
  const marked = new RegExp(`(# GENERATED ${name}\\n)[^]*?( *# END GENERATED ${name}\\n)`);
  if (!marked.test(text)) throw new Error(`the Python client has no part "GENERATED ${name}"`);
  return text.replace(marked, (_match, start: string, end: string) => `${start}${part}${end}`);
}

function recordType(listing: Listing): string {
  const name = `${pascal(listing.name)}Record`;
  const members = shownFields(listing).map(([field, each]) => `"${field}": ${fieldType(each)}`);
  return `${name} = TypedDict("${name}", {${members.join(", ")}}, total=False)\n`;
}

const types: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  object: "Dict[str, Any]",
};

function fieldType({ schema, members }: Field): string {
  if (members !== undefined) return "List[Dict[str, Any]]";
  if (schema.type === "array") return "List[str]";
  const [type = "Any", ...others] = [schema.type].flat().map((each) => types[String(each)] ?? "Any");
  return others.length === 0 ? type : `Union[${[type, ...others].join(", ")}]`;
}
