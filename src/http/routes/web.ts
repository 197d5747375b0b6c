// Serves the web page: the built files of `web/` at the paths of its views, with a strict content security policy.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Listing } from "../../core/catalog/extension.ts";
import { problem } from "../../core/problem.ts";
import { onlyPageProblem } from "../not-found.ts";
import { wantsPage } from "../request/negotiate.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type Asset, asset, sendAsset } from "../response/static-asset.ts";

/** Paths of the views; all serve the same document, which routes in the browser. */
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
  ".webmanifest": "application/manifest+json; charset=utf-8",
};

const policy = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Files with fixed names. The service worker is subject to the policy that it is served with. */
const fixedFiles = ["service-worker.js", "manifest.webmanifest", "icon.svg"] as const;

/** For files with a content hash in their name. */
const immutable = { "cache-control": "public, max-age=31536000, immutable" };

const unbuilt =
  "The web page has not been built. Build it with: npm run page\n\nThe API works without it; its reference is at /docs\n";

/** Without a built page, a text explains how to build it. Clients that want no page are referred to the `listings`. */
export function pageRoutes(app: FastifyInstance, folder: string | undefined, listings: readonly Listing[]): void {
  const index = indexOf(folder);
  const files =
    index === undefined || folder === undefined ? new Map<string, Asset>() : hashedFiles(join(folder, "assets"));
  const document = index ?? asset(types[".txt"] as string, unbuilt);
  for (const path of viewPaths) {
    app.get(path, async (request, reply) => {
      const vary = reply.raw.getHeader("vary");
      reply.raw.setHeader("vary", vary === undefined ? "Accept" : `${vary}, Accept`);
      if (wantsPage(request.headers.accept)) return sendAsset(document, request, reply);
      throw new ProblemError(onlyPageProblem(request.raw.url ?? "", listings));
    });
  }
  for (const file of fixedFiles) {
    const path = join(folder ?? "", file);
    if (folder === undefined || !existsSync(path)) continue;
    const served = asset(types[extname(file)] as string, readFileSync(path), policy);
    app.get(`/${file}`, (request, reply) => sendAsset(served, request, reply));
  }
  app.get("/assets/:file", async (request, reply) => {
    const { file } = request.params as { file: string };
    const found = files.get(file);
    if (found === undefined) throw new ProblemError(problem("request.path", "No such file. Reload the page."));
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
      return type === undefined ? [] : [[file, asset(type, readFileSync(join(folder, file)), immutable)]];
    }),
  );
}
