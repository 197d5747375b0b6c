// Link store: creates, lists, and revokes links, for both the command and the API. A link is a URL with a separate token
// that serves one list with fixed parameters on behalf of a key, so that a calendar app doesn't hold the key.
import { randomUUID } from "node:crypto";
import { hasScope } from "../core/access/scope.ts";
import { hasPathParameters, type Listing, resourcesOf } from "../core/catalog/extension.ts";
import { type ParameterError, problem } from "../core/problem.ts";
import { licensesOf, type ParsedQuery, parseListQuery } from "../core/query/planner.ts";
import { parseQuery, type Query, queryOf } from "../core/query/query-string.ts";
import { localDay } from "../core/value/time-zone.ts";
import type { KeyRow, LinkEntry, Store } from "../store/store.ts";
import { generateLinkToken, hashKey } from "./key.ts";
import { keyState, timeOf } from "./key-store.ts";
import { type Failure, invalidMembers, type Members, unknownMembers } from "./members.ts";
import { isPrintable, parameterError } from "./terms.ts";

/** A link as shown: never its token. */
type ShownLink = {
  readonly id: string;
  readonly name: string;
  readonly key: string;
  readonly state: "valid" | "revoked";
  /** Path and query of the list that it serves. */
  readonly list_url: string;
  readonly file: string;
  readonly requests: number;
  readonly created: string;
  readonly revoked: string;
  readonly last_used: string;
};

/** `url` has the token, and is shown only now. */
type CreatedLink = { readonly entry: ShownLink; readonly url: string };

/** The path of links: followed by the token and a file name. */
export const linkPath = "/links";

const maxLinks = 1000;
const maxNameLength = 200;
const nameExpected = `text of at most ${maxNameLength} characters that doesn't contain a key`;

export class LinkStore {
  readonly #store: Store;
  readonly #listings: readonly Listing[];
  readonly #now: () => number;

  /** `now` is in Unix seconds. */
  constructor(store: Store, listings: readonly Listing[], now: () => number) {
    this.#store = store;
    this.#listings = listings;
    this.#now = now;
  }

  /** `holder`: the key that may create links for itself alone; undefined for an operator. */
  async create({ url, name = "", key: named, ...rest }: Members, holder?: string): Promise<CreatedLink | Failure> {
    const known = holder === undefined ? "url, name, key" : "url, name";
    const unknown = { ...rest, ...(holder !== undefined && named !== undefined ? { key: named } : {}) };
    const errors = unknownMembers(unknown, `one of ${known}`);
    const label = typeof name === "string" ? name.trim() : undefined;
    if (label === undefined || label.length > maxNameLength || !isPrintable(label))
      errors.push(parameterError("name", name, nameExpected));
    const key = await this.#validKey(holder ?? named);
    if (key === undefined) errors.push(parameterError("key", named, "the name of a valid key"));
    const { zone } = (await this.#store.state()).rendering;
    const target = targetOf(url, this.#listings, zone);
    if ("errors" in target) errors.push(...target.errors);
    else if (key !== undefined) errors.push(...missingTerms(key, target));
    if (errors.length > 0 || key === undefined || "errors" in target) return invalidMembers(errors);
    const active = (await this.#store.listLinks(key.name)).filter(({ revoked }) => revoked === undefined);
    if (active.length >= maxLinks)
      return { problem: problem("link.limit", `This key has ${maxLinks} links; revoke one of them first.`) };
    const token = generateLinkToken();
    const link = {
      id: randomUUID().slice(0, 13),
      hash: hashKey(token),
      key: key.name,
      name: label ?? "",
      list: target.listing.name,
      query: target.search,
      extension: target.parsed.format,
      created: this.#seconds,
      revoked: undefined,
    };
    await this.#store.addLink(link);
    const entry = this.#show({ ...link, requests: 0, lastUsed: undefined });
    return { entry, url: `${linkPath}/${token}/${entry.file}` };
  }

  async list(key?: string): Promise<readonly ShownLink[]> {
    return (await this.#store.listLinks(key)).map((link) => this.#show(link));
  }

  async revoke(id: string, holder?: string): Promise<ShownLink | Failure> {
    const link = (await this.#store.listLinks()).find((each) => each.id === id);
    const isOwn = link !== undefined && (holder === undefined || link.key === holder);
    const revoked = this.#seconds;
    if (!isOwn || !(await this.#store.revokeLink(id, revoked)))
      return { problem: problem("link.absent", "No valid link has this ID.") };
    return this.#show({ ...link, revoked });
  }

  get #seconds(): number {
    return Math.floor(this.#now());
  }

  #show(link: LinkEntry): ShownLink {
    const listing = this.#listings.find(({ name }) => name === link.list);
    return {
      id: link.id,
      name: link.name,
      key: link.key,
      state: link.revoked === undefined ? "valid" : "revoked",
      list_url: `${listing?.path ?? link.list}${link.query === "" ? "" : `?${link.query}`}`,
      file: fileOf(link),
      requests: link.requests,
      created: timeOf(link.created),
      revoked: timeOf(link.revoked),
      last_used: timeOf(link.lastUsed),
    };
  }

  /** The current key with a name, if it is valid. */
  async #validKey(name: unknown): Promise<KeyRow | undefined> {
    const key = (await this.#store.listKeys()).findLast((each) => each.name === name && each.revoked === undefined);
    const today = localDay((await this.#store.state()).rendering.zone, this.#seconds);
    return key !== undefined && keyState(key, this.#seconds, today) === "valid" ? key : undefined;
  }
}

export const fileOf = ({ list, extension }: { readonly list: string; readonly extension: string }): string =>
  `${list}.${extension}`;

type Target = {
  readonly listing: Listing;
  /** Without `token`. */
  readonly query: Query;
  readonly search: string;
  readonly parsed: ParsedQuery;
};

const urlExpected = "the URL of a list, such as /api/v2.1/calendar/earnings?parameters[tickers]=AAPL";

/** The list and the parameters of a URL, or everything that is wrong with them. */
function targetOf(
  url: unknown,
  listings: readonly Listing[],
  zone: Parameters<typeof parseListQuery>[2]["zone"],
): Target | { readonly errors: readonly ParameterError[] } {
  const local = typeof url === "string" ? url.replace(/^https?:\/\/[^/?#]*/i, "").replace(/#.*$/s, "") : "";
  const path = local.split("?", 1)[0];
  const listing = listings.find((each) => each.path === path && !hasPathParameters(each));
  if (listing === undefined) return { errors: [parameterError("url", url, urlExpected)] };
  const search = queryOf(local)
    .split("&")
    .filter((pair) => pair !== "")
    .join("&");
  const { query, errors: malformed } = parseQuery(search);
  if (query.has("token"))
    return { errors: [parameterError("url", "a URL with a token", "the URL of a list without a token")] };
  const reading = parseListQuery(listing, query, { zone });
  const { ignored } = "errors" in reading ? reading : reading.ok;
  const errors = [
    ...malformed,
    ...("errors" in reading ? reading.errors : []),
    ...ignored.map((name) => parameterError(name, query.get(name)?.join() ?? "", "a parameter of the list")),
  ];
  if (errors.length > 0 || "errors" in reading) return { errors };
  return { listing, query, search, parsed: reading.ok };
}

/** What a key lacks for a request. */
function missingTerms(key: KeyRow, { listing, query }: Target): ParameterError[] {
  const lacks = (expected: string) => [parameterError("key", key.name, expected)];
  const needed = resourcesOf(listing);
  if (!hasScope(key.scopes, "read")) return lacks('a key with the scope "read"');
  if (key.resources.length > 0 && !needed.some((name) => key.resources.includes(name)))
    return lacks(`a key that may read ${needed.join(" or ")}`);
  const license = licensesOf(listing, query).find((each) => !key.licenses.includes(each.license));
  return license === undefined ? [] : lacks(`a key with the license "${license.license}", for ${license.parameter}`);
}
