// The one handler behind the seven routes: key, format, license, parameters, answer.
import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Mistake, type Problem, problem } from "../core/problem.ts";
import { parseQuery } from "../core/query.ts";
import { canonical, licensesOf, read } from "../core/read.ts";
import type { Resource } from "../core/resource.ts";
import { hideKeys } from "../keys/key.ts";
import { type Store, StoreError } from "../store/store.ts";
import { answer, contentTypes } from "./answer.ts";
import type { Authenticate } from "./auth.ts";
import { encode, smallestEncoded } from "./encode.ts";
import { matchesTag, negotiateEncoding, negotiateFormat } from "./negotiate.ts";

type Deps = { readonly store: Store; readonly authenticate: Authenticate };

/** A problem to be answered; thrown so that the one error handler answers all alike. */
export class ProblemError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

export function listHandler(resource: Resource, { store, authenticate }: Deps) {
  const formats = resource.formats.map((format) => contentTypes[format].split(";")[0]).join(" and ");

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { headers } = request;
    const { query, mistakes } = parseQuery(queryOf(request.raw.url ?? ""));
    const state = await store.state();
    const authenticated = await authenticate({ query, authorization: headers.authorization }, state);
    if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
    const { holder } = authenticated;
    request.holder = holder.name;

    const format = negotiateFormat(headers.accept, resource.formats);
    if (format === undefined)
      throw new ProblemError(problem("format.unacceptable", `This endpoint answers with ${formats}.`));

    for (const { license, parameter } of licensesOf(resource, query)) {
      if (holder.licenses.includes(license)) continue;
      const detail = `The parameter ${parameter} needs the license "${license}", which this key does not hold.`;
      throw new ProblemError(problem("key.license", detail));
    }

    const reading = read(resource, query, { zone: state.rendering.zone });
    const wrong = [...mistakes.map(withoutToken), ...("mistakes" in reading ? reading.mistakes : [])];
    if (wrong.length > 0 || "mistakes" in reading) {
      const count = wrong.length === 1 ? "1 parameter was" : `${wrong.length} parameters were`;
      throw new ProblemError(problem("request.parameters", `${count} not understood.`, { errors: wrong }));
    }
    const understood = reading.ok;
    const ignored = understood.ignored.filter((name) => name !== "token" && name !== "");
    if (ignored.length > 0) reply.header("x-ignored-parameters", ignoredNames(ignored));

    const tag = `W/"${state.stamp(resource)}.${hash("sha1", canonical(understood, format), "base64url").slice(0, 16)}"`;
    const vary = ["Accept, Accept-Encoding", reply.getHeader("vary")].filter(Boolean).join(", ");
    reply.header("etag", tag).header("cache-control", "private, no-cache").header("vary", vary);
    if (matchesTag(headers["if-none-match"], tag)) return reply.code(304).send();

    const body = await answer(store, understood, format, state);
    reply.header("content-type", contentTypes[format]);
    const encoding =
      body.length < smallestEncoded ? undefined : negotiateEncoding(headers["accept-encoding"] as string);
    if (encoding === undefined) return reply.send(body);
    return reply.header("content-encoding", encoding).send(await encode(body, encoding));
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    try {
      return await handle(request, reply);
    } catch (error) {
      // The server that was lost is known as lost by then; another one may answer.
      if (error instanceof StoreError && error.retry && !reply.sent) return handle(request, reply);
      throw error;
    }
  };
}

/** What was given is told back, but never a token, however badly it is encoded. */
const withoutToken = (mistake: Mistake): Mistake =>
  mistake.parameter === "token" ? { ...mistake, given: "…" } : mistake;

function queryOf(url: string): string {
  const cut = url.indexOf("?");
  return cut === -1 ? "" : url.slice(cut + 1);
}

/** Names percent-encoded but for brackets, cut at 1 kB between two names where possible. */
function ignoredNames(names: readonly string[]): string {
  const encoded = names.map((name) =>
    encodeURIComponent(hideKeys(name).toWellFormed()).replaceAll("%5B", "[").replaceAll("%5D", "]"),
  );
  // A name too long by itself is cut between two characters: whole escapes, and whole runs of them.
  let header = encoded[0]?.slice(0, 1024).replace(encoded[0].length > 1024 ? /(%[0-9A-F]{0,2})+$/ : /$^/, "") ?? "";
  for (const name of encoded.slice(1)) {
    if (header.length + 1 + name.length > 1024) break;
    header += `,${name}`;
  }
  return header;
}
