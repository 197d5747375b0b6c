// Problems for unknown paths and methods, with hints at the right ones.
import { type Extension, hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { type Problem, problem } from "../core/problem.ts";
import { streamPath } from "../core/query/stream.ts";

/** Methods by route; `:name` in a route matches any one segment. */
type Served = ReadonlyMap<string, ReadonlySet<string>>;

/** 405 if the path is known, else 404. If only the version or the resource is wrong, the detail names the right ones. */
export function notFound(
  url: string,
  served: Served,
  catalog: readonly Resource[],
  extensions: readonly Extension[] = [],
): Problem {
  const path = cleanPath(url);
  const methods = methodsAt(url, served);
  if (methods.length > 0) {
    const words = `${conjunction.format(methods)} ${methods.length === 1 ? "is" : "are"}`;
    return methodNotAllowed(`Only ${words} served at ${path}.`, methods);
  }
  // Before extensions, whose single records have the same form of path.
  const streams = catalog.map((resource) => ({ ...resource, path: streamPath(resource.path) }));
  const intended = inSomeVersion(path, [...catalog, ...streams, ...extensions]);
  return nothingServed(intended === undefined ? resourceHint(path, served, catalog) : rightPath(intended));
}

const conjunction = new Intl.ListFormat("en", { type: "conjunction" });

const nothingServed = (hint: string): Problem => problem("request.path", `Nothing is served at this path.${hint}`);
const rightPath = ({ title, path }: Listing): string => ` ${title} is served at ${path}.`;

/** Set if a path matches a route with a named segment, but spells out another list with the wrong version. */
export function wrongVersionProblem(url: string, listings: readonly Listing[]): Problem | undefined {
  const path = cleanPath(url);
  const intended = inSomeVersion(path, listings);
  if (intended === undefined || hasPathParameters(intended) || intended.path === path) return undefined;
  return nothingServed(rightPath(intended));
}

/** For a client that wants no HTML at a path of the web page: the list that it probably meant. */
export function onlyPageProblem(url: string, listings: readonly Listing[]): Problem {
  const path = cleanPath(url);
  const intended = inSomeVersion(`/api/v0${path}`, listings);
  const parent = path.slice(1, path.lastIndexOf("/") + 1);
  const siblings = listings.filter(
    ({ path }) => parent !== "" && withoutVersion(path)?.slice(0, -1).startsWith(parent),
  );
  if (intended !== undefined) return nothingServed(rightPath(intended));
  if (siblings.length > 0) return nothingServed(` Its lists are ${siblings.map(({ path }) => path).join(", ")}.`);
  return nothingServed(" The web page is served here as HTML only. All paths of the API are in /openapi.json.");
}

/** The list at this path in any version; literal paths take precedence over paths with named segments. */
function inSomeVersion(path: string, listings: readonly Listing[]): Listing | undefined {
  const segments = withoutVersion(path)?.split("/");
  if (segments === undefined) return undefined;
  const found = listings.filter((listing) => matches(withoutVersion(routeOf(listing.path)) ?? "", segments));
  return found.find((listing) => !hasPathParameters(listing)) ?? found[0];
}

/** The router's notation: `/api/v2/news/:id` for `/api/v2/news/{id}`. */
export const routeOf = (path: string): string => path.replace(/\{(\w+)\}/g, ":$1");

/** Values of a path's named segments, `{"id":"5"}`; undefined if the URL doesn't match the path. */
export function pathParametersOf(path: string, url: string): Record<string, string> | undefined {
  const segments = rawPath(url).split("/").map(decoded);
  const route = routeOf(path);
  if (!matches(route, segments)) return undefined;
  const named = route.split("/").map((each, index): [string, string] => [each, segments[index] ?? ""]);
  return Object.fromEntries(
    named.filter(([each]) => each.startsWith(":")).map(([each, value]) => [each.slice(1), value]),
  );
}

/** Whether a route is for operators, and so can be hidden from the public. */
export const isAdminRoute = (route: string): boolean => /^\/(admin\/|metrics$)/.test(route);

export const publicRoutes = (served: Served): Served => new Map([...served].filter(([route]) => !isAdminRoute(route)));

export const methodNotAllowed = (detail: string, methods: readonly string[] = ["GET", "HEAD"]): Problem =>
  problem("request.method", detail, { headers: { allow: methods.join(", ") } });

/** Order of methods in `Allow`. */
const order = ["GET", "HEAD", "POST", "PATCH", "DELETE"];

function methodsAt(url: string, served: Served): string[] {
  const segments = rawPath(url).split("/").map(decoded);
  const found = [...served].filter(([route]) => matches(route, segments));
  const methods = new Set(found.flatMap(([, each]) => [...each]));
  return order.filter((method) => methods.has(method));
}

function matches(route: string, segments: readonly string[]): boolean {
  const expected = route.split("/");
  return (
    expected.length === segments.length &&
    expected.every((each, index) => each === segments[index] || (each.startsWith(":") && segments[index] !== ""))
  );
}

/** Names the resources if the path has the form of one that exists per resource. */
function resourceHint(path: string, served: Served, catalog: readonly Resource[]): string {
  const names = catalog.map(({ name }) => name);
  const starts = path.split("/").map((_, index, segments) => segments.slice(0, index + 1).join("/"));
  const parent = starts.find((start) => names.every((name) => served.has(`${start}/${name}`)));
  return parent === undefined ? "" : ` ${parent}/ is followed by one of ${names.join(", ")}.`;
}

const withoutVersion = (path: string): string | undefined => /^\/api\/v[^/]*\/(.+)$/i.exec(path)?.[1]?.toLowerCase();

/** Without host, query, doubled slashes, and trailing slash, as the router sees it. */
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
