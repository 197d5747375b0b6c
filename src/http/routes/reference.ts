// Reference for client authors: the interactive page, the OpenAPI document, and the list of problems. All of it is
// self-hosted; a content security policy blocks requests to other hosts.
import { hash } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { problem, problems } from "../../core/problem.ts";
import { serverEndpoints } from "../../endpoints/server.ts";
import { escapeXml } from "../response/formats/xml-escape.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type Asset, asset, sendAsset } from "../response/static-asset.ts";

/** A document as JSON, or a function that builds it on the first request. */
export type DocumentSource = object | (() => Promise<object>);

const paths = {
  page: "/docs",
  script: "/docs/scalar.js",
  problems: "/docs/problems",
} as const;

const html = "text/html; charset=utf-8";

export function servedDocument(source: DocumentSource) {
  const document = lazily(async () =>
    asset("application/json; charset=utf-8", JSON.stringify(typeof source === "function" ? await source() : source)),
  );
  return async (request: FastifyRequest, reply: FastifyReply) => sendAsset(await document(), request, reply);
}

/** The interactive page, with the demo's key if there is one, and the page that problem documents link to. */
export function referencePage(
  app: FastifyInstance,
  demoKey = async (): Promise<string | undefined> => undefined,
): void {
  let page: { readonly key: string | undefined; readonly asset: Asset } | undefined;
  app.get(paths.problems, async (request, reply) => sendAsset(problemsPage(), request, reply));
  app.get(paths.page, async (request, reply) => {
    // The page works without the database as well.
    const key = await demoKey().catch(() => undefined);
    if (page === undefined || page.key !== key) page = { key, asset: pageWith((await interactive()).page, key) };
    return sendAsset(page.asset, request, reply);
  });
  app.get(paths.script, async (request, reply) => sendAsset((await interactive()).script, request, reply));
}

/** Markdown by path, built on the first request. */
export type ReferenceSource = () => Promise<ReadonlyMap<string, string>>;

/** The reference as Markdown, for language models: `/llms.txt`, `/llms-full.txt`, and `/docs/PAGE.md`. */
export function markdownReference(app: FastifyInstance, source: ReferenceSource): void {
  const assets = lazily(async () => {
    const type = (path: string) => `text/${path.endsWith(".md") ? "markdown" : "plain"}; charset=utf-8`;
    return new Map([...(await source())].map(([path, text]) => [path, asset(type(path), text)]));
  });
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const found = (await assets()).get(path);
    if (found === undefined) throw new ProblemError(problem("request.path", "There is no such page of the reference."));
    return sendAsset(found, request, reply);
  };
  for (const path of ["/llms.txt", "/llms-full.txt"])
    app.get(path, async (request, reply) => send(path, request, reply));
  app.get(`${paths.page}/:file`, async (request, reply) =>
    send(`${paths.page}/${(request.params as { file: string }).file}`, request, reply),
  );
}

/** Built on the first request, to not delay startup. */
function lazily<T>(build: () => T): () => T {
  let built: T | undefined;
  return () => (built ??= build());
}

const problemsPage = lazily(() => asset(html, problemList(), policy("'none'")));

type Interactive = { readonly page: string; readonly script: Asset };

const interactive = lazily(buildInteractive);

// The package's plugin renders into a temporary app; the result is served like other assets, with ETag, compression, and
// a policy. The package is large and most servers never need it, so it is imported here.
async function buildInteractive(): Promise<Interactive> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const renderer = fastify();
  await renderer.register(scalar, { routePrefix: paths.page, configuration });
  const page = await renderer.inject(`${paths.page}/`);
  const script = await renderer.inject(`${paths.page}/js/scalar.js`);
  await renderer.close();
  if (page.statusCode !== 200 || script.statusCode !== 200) throw new Error("the reference page could not be built");
  return { page: page.body, script: asset("text/javascript; charset=utf-8", script.rawPayload) };
}

/** In place of the demo's key in the configuration. */
const keyPlaceholder = "demo-key-of-this-server";

function pageWith(template: string, key: string | undefined): Asset {
  const page = template.replace("<body>", `<body>${backLink}`).replace(keyPlaceholder, key ?? "");
  const inline = [...page.matchAll(/<script type="text\/javascript">([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, code = ""]) => `'sha256-${hash("sha256", code, "base64")}'`);
  return asset(html, page, policy(["'self'", ...hashes].join(" ")));
}

/** The reference reserves the height of a header for it. */
const backLink = `<style>:root { --scalar-custom-header-height: 36px; }</style>
<nav aria-label="Bellwire" style="position: sticky; top: 0; z-index: 100; box-sizing: border-box; height: 36px; padding: 8px 16px; font: 14px/20px system-ui, sans-serif; background: var(--scalar-background-1, #fff); border-bottom: 1px solid var(--scalar-border-color, #d9dee6)"><a href="/" style="color: var(--scalar-color-accent, #0b5cad)">← Back to the calendars</a></nav>`;

const bell =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2a6" d="M8 1a4 4 0 0 0-4 4v4l-2 3h12l-2-3V5a4 4 0 0 0-4-4zM6 13a2 2 0 0 0 4 0z"/></svg>';
const icon = `data:image/svg+xml,${encodeURIComponent(bell)}`;

/** Disables every feature that would contact another host, and clears its URL. */
const configuration = {
  url: serverEndpoints.endpoints.getDescription.path,
  cdn: paths.script,
  pageTitle: "Bellwire API",
  favicon: icon,
  proxyUrl: "",
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  persistAuth: false,
  authentication: { preferredSecurityScheme: "bearer", securitySchemes: { bearer: { token: keyPlaceholder } } },
  externalUrls: { dashboardUrl: "", registryUrl: "", proxyUrl: "", apiBaseUrl: "" },
  documentDownloadType: "direct",
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
} as const;

const policy = (scripts: string): Record<string, string> => ({
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join("; "),
  "referrer-policy": "no-referrer",
});

/** One section per code, which the `type` of a problem document links to. */
function problemList(): string {
  const entries = Object.entries(problems).map(
    ([code, { status, title, doc }]) =>
      `<section id="${escapeXml(code)}"><h2><a href="#${escapeXml(code)}"><code>${escapeXml(code)}</code></a></h2>
<p><strong>${status} ${escapeXml(title)}.</strong> ${escapeXml(doc).replace(/`([^`]*)`/g, "<code>$1</code>")}</p></section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Problems - Bellwire</title>
<link rel="icon" href="${icon}">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0; }
h2 a { color: inherit; text-decoration: none; }
section:target { outline: 2px solid #2a6; outline-offset: 0.5rem; }
p { margin: 0.25rem 0; }
</style>
</head>
<body>
<h1>Problems</h1>
<p>A request that fails gets a problem document. Its <code>code</code> is one of these; its <code>detail</code> explains what is wrong with the request.</p>
${entries.join("\n")}
<p><a href="${paths.page}">Back to the reference</a></p>
</body>
</html>
`;
}
