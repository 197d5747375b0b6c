// What is said of a path or method that nothing serves.
import { type Problem, problem } from "../core/problem.ts";
import type { Resource } from "../core/resource.ts";

/** 405 where the path is known, else 404; where only the version is wrong, the right path is named. */
export function unserved(url: string, served: ReadonlySet<string>, catalog: readonly Resource[]): Problem {
  const path = cleanPath(url);
  if (served.has(path)) return otherMethod(`Only GET and HEAD are served at ${path}.`);
  const asked = withoutVersion(path);
  const meant = catalog.find((resource) => withoutVersion(resource.path) === asked);
  const hint = meant === undefined ? "" : ` ${meant.title} is served at ${meant.path}.`;
  return problem("request.path", `Nothing is served at this path.${hint}`);
}

export const otherMethod = (detail: string): Problem =>
  problem("request.method", detail, { headers: { allow: "GET, HEAD" } });

const withoutVersion = (path: string): string | undefined => /^\/api\/v[^/]*\/(.+)$/i.exec(path)?.[1]?.toLowerCase();

/** Without host, query, doubled slashes and a trailing slash, as the router reads it. */
export function cleanPath(url: string): string {
  const local = url.replace(/^https?:\/\/[^/?]*/i, "").split("?", 1)[0];
  const path = (local || "/").replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
