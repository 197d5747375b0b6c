// Which list a request is for. Paths as documented are found by one lookup; other spellings that routers accept
// (doubled and trailing slashes, percent-encoding, absolute URLs) are normalized first.
import type { CompatPath } from "../core/catalog/compat.ts";
import { hasPathParameters, type Listing } from "../core/catalog/extension.ts";
import type { Problem } from "../core/problem.ts";
import { cleanPath, pathParametersOf, wrongVersionProblem } from "./not-found.ts";
import type { Route } from "./observe/access-log.ts";
import type { ListHandler } from "./routes/list.ts";

export type ListRoute = {
  readonly listing: Listing;
  readonly list: ListHandler;
  readonly route: Route;
  /** Paths by which clients of other implementations reach it. */
  readonly compatPaths?: readonly CompatPath[];
};

export type ListMatch = ListRoute & {
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Set if the path only looks like one of this list, and belongs to another version of the interface. */
  readonly problem?: Problem | undefined;
  /** Set if only the compatibility switch makes this a path of the list. */
  readonly compatPath?: CompatPath;
};

/** `reserved` are paths that look like items of a list, and are served elsewhere. */
export function listRouter(
  routes: readonly ListRoute[],
  reserved: ReadonlySet<string> = new Set(),
): (url: string) => ListMatch | undefined {
  const listings = routes.map(({ listing }) => listing);
  const fixed = routes
    .filter(({ listing }) => !hasPathParameters(listing))
    .map((route) => ({ ...route, pathParameters: {} }));
  const byPath = new Map(fixed.map((match) => [match.listing.path, match]));
  const compatPaths = routes.flatMap(({ compatPaths = [], ...route }) =>
    compatPaths.map((compatPath) => ({ ...route, pathParameters: {}, compatPath })),
  );
  const withNames = routes.filter(({ listing }) => hasPathParameters(listing));

  const find = (url: string): ListMatch | undefined => {
    if (!isDecodable(url) || reserved.has(cleanPath(url))) return undefined;
    const match = fixed.find(({ listing }) => pathParametersOf(listing.path, url) !== undefined);
    if (match !== undefined) return match;
    for (const route of withNames) {
      const pathParameters = pathParametersOf(route.listing.path, url);
      if (pathParameters !== undefined)
        return { ...route, pathParameters, problem: wrongVersionProblem(url, listings) };
    }
    return compatPaths.find(({ compatPath }) => pathParametersOf(compatPath.path, url) !== undefined);
  };

  return (url) => {
    const end = url.search(/[?#]/);
    const path = end === -1 ? url : url.slice(0, end);
    return byPath.get(path) ?? find(path);
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
