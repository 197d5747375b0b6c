// The page for people: the built files of `web/`, and the paths at which its views are found.
// A strict policy keeps the browser from running or asking for anything that is not from here.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import { problem } from "../../core/problem.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type Asset, asset, sendAsset } from "../response/static-asset.ts";

/** The views of the page; each is the same document, which reads its address. */
export const viewPaths = [
  "/",
  "/day/:day",
  "/news",
  "/news/:id",
  "/calendar/:name",
  "/ticker",
  "/ticker/:symbol",
  "/operator",
] as const;

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

const policy = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Names of these files carry a hash of what is in them. */
const forever = { "cache-control": "public, max-age=31536000, immutable" };

const unbuilt =
  "The page has not been built here. Build it with: npm run page\n\nThe API is served all the same; its reference is at /docs\n";

/** Serves the page that was built into a folder; where none was, a text that says how. */
export function pageRoutes(app: FastifyInstance, folder: string | undefined): void {
  const index = indexOf(folder);
  const files =
    index === undefined || folder === undefined ? new Map<string, Asset>() : hashedFiles(join(folder, "assets"));
  const front = index ?? asset(types[".txt"] as string, unbuilt);
  for (const path of viewPaths) app.get(path, async (request, reply) => sendAsset(front, request, reply));
  app.get("/assets/:file", async (request, reply) => {
    const { file } = request.params as { file: string };
    const found = files.get(file);
    if (found === undefined)
      throw new ProblemError(problem("request.path", "The page has no such file; load it anew."));
    return sendAsset(found, request, reply);
  });
}

function indexOf(folder: string | undefined): Asset | undefined {
  const file = join(folder ?? "", "index.html");
  if (folder === undefined || !existsSync(file)) return undefined;
  return asset(types[".html"] as string, readFileSync(file), policy);
}

function hashedFiles(folder: string): Map<string, Asset> {
  return new Map(
    readdirSync(folder).flatMap((file): [string, Asset][] => {
      const type = types[extname(file)];
      return type === undefined ? [] : [[file, asset(type, readFileSync(join(folder, file)), forever)]];
    }),
  );
}
