// Finds a resource by its name on the command line.
import { UsageError } from "../../config.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { suggestion } from "../../core/text/closest-name.ts";
import { catalog } from "../../resources/catalog.ts";

export function resourceByName(name: string | undefined): Resource {
  const found = catalog.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = catalog.map((resource) => resource.name);
  const received = name === undefined ? "nothing" : `"${name}"${suggestion(name, names)}`;
  throw new UsageError(`RESOURCE: expected one of ${names.join(", ")}, got ${received}`);
}
