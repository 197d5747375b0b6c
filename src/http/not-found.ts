// What is said of a path or method that nothing serves.
import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { type Problem, problem } from "../core/problem.ts";

/** The methods of each path that is served; `:name` in a path stands for any one segment. */
export type Served = ReadonlyMap<string, ReadonlySet<string>>;

/** 405 where the path is known, else 404; where only the version or the resource is wrong, the right ones are named. */
export function notServed(
  url: string,
  served: Served,
  catalog: readonly Resource[],
  extensions: readonly Extension[] = [],
): Problem {
  const path = cleanPath(url);
  const methods = methodsAt(url, served);
  if (methods.length > 0) {
    const words = `${methods.join(" and ")} ${methods.length === 1 ? "is" : "are"}`;
    return methodNotAllowed(`Only ${words} served at ${path}.`, methods);
  }
  const meant = inSomeVersion(path, [...catalog, ...extensions]);
  return nothingServed(meant === undefined ? resourceHint(path, served, catalog) : rightPath(meant));
}

const nothingServed = (hint: string): Problem => problem("request.path", `Nothing is served at this path.${hint}`);
const rightPath = ({ title, path }: Listing): string => ` ${title} is served at ${path}.`;

/** A path that a name in another one would stand for, but that belongs to a list of another version. */
export function wrongVersion(url: string, listings: readonly Listing[]): Problem | undefined {
  const path = cleanPath(url);
  const meant = inSomeVersion(path, listings);
  return meant === undefined || hasPathParameters(meant) || meant.path === path
    ? undefined
    : nothingServed(rightPath(meant));
}

/** The list that is at this path in its own version; one whose path says it literally before others. */
function inSomeVersion(path: string, listings: readonly Listing[]): Listing | undefined {
  const asked = withoutVersion(path)?.split("/");
  if (asked === undefined) return undefined;
  const found = listings.filter((listing) => fits(withoutVersion(routeOf(listing.path)) ?? "", asked));
  return found.find((listing) => !hasPathParameters(listing)) ?? found[0];
}

/** A path as the router writes it: `/api/v2/news/:id` for `/api/v2/news/{id}`. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** What an address says where a path has names, `{"id":"5"}`; undefined when it is of another path. */
export function pathParametersOf(path: string, url: string): Record<string, string> | undefined {
  const segments = rawPath(url).split("/").map(decoded);
  const route = routeOf(path);
  if (!fits(route, segments)) return undefined;
  const named = route.split("/").map((each, index): [string, string] => [each, segments[index] ?? ""]);
  return Object.fromEntries(
    named.filter(([each]) => each.startsWith(":")).map(([each, said]) => [each.slice(1), said]),
  );
}

/** Whether a route is for those who run the service: it can be kept from the public. */
export const isForAdmin = (route: string): boolean => /^\/(admin\/|metrics$)/.test(route);

export const publicOf = (served: Served): Served => new Map([...served].filter(([route]) => !isForAdmin(route)));

export const methodNotAllowed = (detail: string, methods: readonly string[] = ["GET", "HEAD"]): Problem =>
  problem("request.method", detail, { headers: { allow: methods.join(", ") } });

/** Methods in the order in which they are told. */
const order = ["GET", "HEAD", "POST", "PATCH", "DELETE"];

/** The methods that are served at an address; none when its path is not known. */
function methodsAt(url: string, served: Served): string[] {
  const segments = rawPath(url).split("/").map(decoded);
  const found = [...served].filter(([route]) => fits(route, segments));
  const methods = new Set(found.flatMap(([, each]) => [...each]));
  return order.filter((method) => methods.has(method));
}

function fits(route: string, segments: readonly string[]): boolean {
  const expected = route.split("/");
  return (
    expected.length === segments.length &&
    expected.every((each, index) => each === segments[index] || (each.startsWith(":") && segments[index] !== ""))
  );
}

/** Where a path has the form of one that is served for every resource: their names. */
function resourceHint(path: string, served: Served, catalog: readonly Resource[]): string {
  const names = catalog.map(({ name }) => name);
  const starts = path.split("/").map((_, index, segments) => segments.slice(0, index + 1).join("/"));
  const parent = starts.find((start) => names.every((name) => served.has(`${start}/${name}`)));
  return parent === undefined ? "" : ` ${parent}/ is followed by one of ${names.join(", ")}.`;
}

const withoutVersion = (path: string): string | undefined => /^\/api\/v[^/]*\/(.+)$/i.exec(path)?.[1]?.toLowerCase();

/** Without host, query, doubled slashes and a trailing slash, as the router reads it. */
export const cleanPath = (url: string): string => decoded(rawPath(url));

function rawPath(url: string): string {
  const local = url.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0];
  return (local || "/").replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
