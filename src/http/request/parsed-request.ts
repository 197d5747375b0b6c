// Parses a request for a list: key, format, license, parameters.
import { hash } from "node:crypto";
import type { CompatList, CompatTable } from "../../core/catalog/compat.ts";
import type { Listing } from "../../core/catalog/extension.ts";
import { type Format, formats, isFormatSelected, listOfFormats } from "../../core/output/format.ts";
import { invalidParameters, type ParameterError, type Problem, problem } from "../../core/problem.ts";
import { canonicalKey, type ParsedQuery, parseListQuery } from "../../core/query/planner.ts";
import { parseQuery, type Query, queryOf, withPathParameters } from "../../core/query/query-string.ts";
import { type Adjustment, hintsFor, rewriteQuery } from "../../core/query/rewrite.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import { type ListUrls, listUrls } from "../headers/link.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Authenticate, Authenticated, Principal } from "./auth.ts";
import { entitlementProblem, restrictTo } from "./entitlements.ts";
import { type Encoding, negotiateEncoding, negotiateFormat } from "./negotiate.ts";

/** A request for a list after parsing: who wants which page, in which format, and until when that holds. */
export type ParsedRequest = {
  readonly parsedQuery: ParsedQuery;
  readonly encoding: Encoding | undefined;
  /** Undefined if it came in by a link, which is for one page at a URL that isn't the list's. */
  readonly urls: ListUrls | undefined;
  /** Cache key of its body. */
  readonly bodyKey: string;
  readonly fingerprint: string;
  /** Of every response to it, besides the ETag. */
  readonly headers: readonly string[];
  readonly principal: Principal;
  /** The version of the keys that it was authenticated with. */
  readonly keys: number;
  /** Unix seconds at which the key expires or starts to see other records. */
  readonly until: number;
};

export type ParserDeps = {
  readonly authenticate: Authenticate;
  /** Whether responses differ by the origin of the requesting page. */
  readonly varyByOrigin: boolean;
  /** How lists are served to clients of other implementations. */
  readonly compatTable: CompatTable;
  /** Whether all keys are served that way. */
  readonly compat: boolean;
  /** Unix seconds. */
  readonly now: () => number;
};

/**
 * Sets the key of the exchange; throws a ProblemError if the request is invalid. A request that has been admitted before
 * doesn't count again.
 */
export type ParseRequest = (
  exchange: Exchange,
  state: StoreState,
  isAdmitted?: boolean,
) => ParsedRequest | Promise<ParsedRequest>;

/** What a parser's requests are for. Messages aren't negotiated. */
type Responds = "page" | "stream" | "messages";

export function requestParser(listing: Listing, deps: ParserDeps, responds: Responds = "page"): ParseRequest {
  const { authenticate, varyByOrigin, now } = deps;
  const compatList = deps.compatTable.get(listing);
  const vary = `Accept, Accept-Encoding${varyByOrigin ? ", Origin" : ""}`;
  const always = ["cache-control", "private, no-cache", "vary", vary];

  return (exchange, state, isAdmitted = false) => {
    const { query: sentQuery, errors } = parseQuery(queryOf(exchange.request.url ?? ""));
    const { query, stray } = withPathParameters(sentQuery, exchange.pathParameters);
    const authenticated = authenticate({ query, request: exchange.request, isAdmitted }, state);
    const parse = (result: Authenticated) => parseAs(result, exchange, state, query, errors, stray);
    return authenticated instanceof Promise ? authenticated.then(parse) : parse(authenticated);
  };

  function parseAs(
    authenticated: Authenticated,
    exchange: Exchange,
    state: StoreState,
    sentQuery: Query,
    errors: readonly ParameterError[],
    stray: readonly string[],
  ): ParsedRequest {
    exchange.key = authenticated.principal?.name ?? "";
    if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
    const { principal } = authenticated;

    const isCompat = deps.compat || principal.compat;
    const { served, query, unused, notes } = rewritten(listing, compatList, sentQuery, isCompat);
    const { headers } = exchange.request;
    const accepted = formatFor(headers.accept, listing, responds);
    if (accepted === undefined && !(responds === "page" && isFormatSelected(query)))
      throw new ProblemError(unacceptable(listing, responds));
    const refusal = entitlementProblem(principal, served, query);
    if (refusal !== undefined) throw new ProblemError(refusal);

    const { zone } = state.rendering;
    const reading = parseListQuery(served, query, { zone }, accepted);
    const wrong = [...errors.map(withoutToken), ...("errors" in reading ? reading.errors : [])];
    if (wrong.length > 0 || "errors" in reading) throw new ProblemError(invalidParameters("request.parameters", wrong));
    const restricted = restrictTo(principal, reading.ok, now());
    if ("problem" in restricted) throw new ProblemError(restricted.problem);
    const { parsedQuery, until } = restricted;
    const urls = exchange.link === undefined ? listUrls(listing.path, queryOf(exchange.request.url ?? "")) : undefined;
    const linked = formats[parsedQuery.format].hasLinks ? urls?.self() : undefined;
    const canonicalText = canonicalKey(parsedQuery) + (linked ?? "");
    const ignored = [...parsedQuery.ignored, ...unused, ...stray].filter((name) => name !== "token" && name !== "");
    const encoding = negotiateEncoding(headers["accept-encoding"] as string | undefined);
    return {
      parsedQuery,
      urls,
      encoding,
      bodyKey: encoding === undefined ? canonicalText : `${encoding} ${canonicalText}`,
      fingerprint: hash("sha1", canonicalText, "base64url").slice(0, 16),
      headers: [...always, ...(ignored.length > 0 ? ["x-ignored-parameters", ignoredNames(ignored)] : []), ...notes],
      principal,
      keys: state.keysVersion,
      until,
    };
  }
}

/** Undefined if the client accepts none. */
function formatFor(accept: string | undefined, { formats }: Listing, responds: Responds): Format | undefined {
  if (responds === "page") return negotiateFormat(accept, formats);
  return responds === "messages" ? "json" : negotiateFormat(accept, ["events"]) && "json";
}

const unacceptable = ({ formats }: Listing, responds: Responds): Problem =>
  problem(
    "format.unacceptable",
    `This endpoint responds with ${responds === "stream" ? eventStream : listOfFormats(formats)}.`,
  );

/** The list and the query as clients of other implementations mean them, with headers about what was changed. */
function rewritten(listing: Listing, compatList: CompatList | undefined, sent: Query, isCompat: boolean) {
  if (compatList === undefined) return { served: listing, query: sent, unused: [], notes: [] };
  if (!isCompat) return { served: listing, query: sent, unused: [], notes: hintHeaders(hintsFor(compatList, sent)) };
  const { query, ignored, adjusted } = rewriteQuery(compatList, sent);
  return { served: compatList.variant, query, unused: ignored, notes: adjustedHeaders(adjusted) };
}

export const eventStream = "text/event-stream";

/** Errors repeat what was received, but never a token, however badly it is encoded. */
export const withoutToken = (error: ParameterError): ParameterError =>
  error.parameter === "token" ? { ...error, given: "…" } : error;

const adjustedHeaders = (adjusted: readonly Adjustment[]): string[] =>
  adjusted.length === 0 ? [] : ["x-adjusted-parameters", joinedWithin(adjusted.map(encodePair))];

const hintHeaders = (hints: readonly Adjustment[]): string[] =>
  hints.length === 0 ? [] : ["x-hint", `did you mean ${joinedWithin(hints.map(encodePair))}?`];

const encodeName = (name: string): string =>
  encodeURIComponent(redactKeys(name).toWellFormed()).replaceAll("%5B", "[").replaceAll("%5D", "]");

const encodePair = ({ name, value }: Adjustment): string =>
  `${encodeName(name)}=${encodeName(value).replaceAll("%3A", ":").replaceAll("%2F", "/")}`;

/** Names percent-encoded but for brackets. */
export const ignoredNames = (names: readonly string[]): string => joinedWithin(names.map(encodeName));

/** Joined by commas, and cut at 1 kB, between two entries where possible. */
function joinedWithin(encoded: readonly string[]): string {
  // A first name that is too long is cut before an escape, never inside one.
  let header = encoded[0]?.slice(0, 1024).replace(encoded[0].length > 1024 ? /(%[0-9A-F]{0,2})+$/ : /$^/, "") ?? "";
  for (const name of encoded.slice(1)) {
    if (header.length + 1 + name.length > 1024) break;
    header += `,${name}`;
  }
  return header;
}
