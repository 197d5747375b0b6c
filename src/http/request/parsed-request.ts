// Parses a request for a list: key, format, license, parameters.
import { hash } from "node:crypto";
import type { Listing } from "../../core/catalog/extension.ts";
import type { Format } from "../../core/catalog/resource.ts";
import { type Mistake, notUnderstood, problem } from "../../core/problem.ts";
import { canonical, read, type Understood } from "../../core/query/planner.ts";
import { parseQuery, type Query, withPath } from "../../core/query/query-string.ts";
import { hideKeys } from "../../keys/redact.ts";
import type { State } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { contentTypes } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Authenticate, Authenticated, Holder } from "./auth.ts";
import { lackOf, seenBy } from "./entitlements.ts";
import { type Encoding, negotiateEncoding, negotiateFormat } from "./negotiate.ts";

/** A request as it was understood: who asks for what, in which form, and for how long that holds. */
export type Question = {
  readonly understood: Understood;
  readonly format: Format;
  readonly encoding: Encoding | undefined;
  /** By which name its body is kept. */
  readonly bodyKey: string;
  readonly fingerprint: string;
  /** Of every reply to it, beside the tag. */
  readonly headers: readonly string[];
  readonly holder: Holder;
  /** The version of the keys that it was authenticated with. */
  readonly keys: number;
  /** Unix seconds from which on it may mean something else: the key expires, or sees other records. */
  readonly until: number;
};

export type QuestionDeps = {
  readonly authenticate: Authenticate;
  /** Whether answers differ by the origin of the page that asks. */
  readonly varyByOrigin: boolean;
  /** Unix seconds. */
  readonly now: () => number;
};

/** Gives what a request asks, and sets its holder; throws what is wrong with it. */
export type Understand = (exchange: Exchange, state: State) => Question | Promise<Question>;

export function understandingOf(resource: Listing, { authenticate, varyByOrigin, now }: QuestionDeps): Understand {
  const formats = resource.formats.map((format) => contentTypes[format].split(";")[0]).join(" and ");
  const vary = `Accept, Accept-Encoding${varyByOrigin ? ", Origin" : ""}`;
  const always = ["cache-control", "private, no-cache", "vary", vary];

  return (exchange, state) => {
    const { query: given, mistakes } = parseQuery(queryOf(exchange.request.url ?? ""));
    const { query, stray } = withPath(given, exchange.pathParameters);
    const judged = authenticate({ query, request: exchange.request }, state);
    const granted = (authenticated: Authenticated) =>
      questionBy(authenticated, exchange, state, query, mistakes, stray);
    return judged instanceof Promise ? judged.then(granted) : granted(judged);
  };

  /** Throws what is wrong with the request. */
  function questionBy(
    authenticated: Authenticated,
    exchange: Exchange,
    state: State,
    query: Query,
    mistakes: readonly Mistake[],
    stray: readonly string[],
  ): Question {
    exchange.key = authenticated.holder?.name ?? "";
    if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
    const { holder } = authenticated;

    const { headers } = exchange.request;
    const format = negotiateFormat(headers.accept, resource.formats);
    if (format === undefined)
      throw new ProblemError(problem("format.unacceptable", `This endpoint answers with ${formats}.`));

    const lack = lackOf(holder, resource, query);
    if (lack !== undefined) throw new ProblemError(lack);

    const { zone } = state.rendering;
    const reading = read(resource, query, { zone });
    const wrong = [...mistakes.map(withoutToken), ...("mistakes" in reading ? reading.mistakes : [])];
    if (wrong.length > 0 || "mistakes" in reading) throw new ProblemError(notUnderstood("request.parameters", wrong));
    const seen = seenBy(holder, reading.ok, now());
    if ("problem" in seen) throw new ProblemError(seen.problem);
    const { understood, until } = seen;
    const wanted = canonical(understood, format);
    const ignored = [...understood.ignored, ...stray].filter((name) => name !== "token" && name !== "");
    const encoding = negotiateEncoding(headers["accept-encoding"] as string | undefined);
    return {
      understood,
      format,
      encoding,
      bodyKey: encoding === undefined ? wanted : `${encoding} ${wanted}`,
      fingerprint: hash("sha1", wanted, "base64url").slice(0, 16),
      headers: ignored.length > 0 ? [...always, "x-ignored-parameters", ignoredNames(ignored)] : always,
      holder,
      keys: state.keys,
      until,
    };
  }
}

/** What was given is told back, but never a token, however badly it is encoded. */
export const withoutToken = (mistake: Mistake): Mistake =>
  mistake.parameter === "token" ? { ...mistake, given: "…" } : mistake;

export function queryOf(url: string): string {
  const cut = url.indexOf("?");
  return cut === -1 ? "" : url.slice(cut + 1);
}

/** Names percent-encoded but for brackets, cut at 1 kB between two names where possible. */
export function ignoredNames(names: readonly string[]): string {
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
