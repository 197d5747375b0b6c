// One list of the server: pages, all records, and changes as they happen.
import { type ListSpec, type Parameters, toQuery, toTarget } from "./parameters.ts";
import { poll } from "./poll.ts";
import { type Change, isWithoutStream, stream } from "./stream.ts";
import { type Cache, type Limit, limitsOf, type Transport } from "./transport.ts";

export type RequestOptions = { readonly signal?: AbortSignal };

export type FollowOptions = RequestOptions & {
  /** Changes after this position: `position` of a change or page, or `start` for all in the server's log. Default: now. */
  readonly since?: string | undefined;
  /** Interval of requests to a server without streams; 30,000 by default. */
  readonly pollMs?: number;
};

export type Page<R, P> = {
  readonly records: R[];
  /** Parameters of the next page; undefined after the last one. */
  readonly next: P | undefined;
  readonly etag: string | undefined;
  /** What remains of the key's limits; empty if it has none. */
  readonly limits: readonly Limit[];
  /** Where `follow` continues without a gap. */
  readonly position: string | undefined;
  /** Whether the records are from the cache, which the server has confirmed. */
  readonly isCached: boolean;
};

/** The records of a request that selects fields have only these. */
type Selected<R, F> = "*" extends F ? R : Required<Pick<R, F & keyof R>>;

/** `S`: names of fields that can be selected. */
type Selecting<S, F> = [S] extends [never] ? unknown : { readonly fields?: readonly F[] };

/** Records, parameters, and fields that can be selected. */
export interface List<R, P, S = never> {
  /** All records, page by page, without duplicates or gaps while records are added. */
  list<const F extends S | "*" = "*">(
    parameters?: P & Selecting<S, F>,
    options?: RequestOptions,
  ): AsyncGenerator<Selected<R, F>, void>;
  /** The first record, if there is one. */
  first<const F extends S | "*" = "*">(
    parameters?: P & Selecting<S, F>,
    options?: RequestOptions,
  ): Promise<Selected<R, F> | undefined>;
  page<const F extends S | "*" = "*">(
    parameters?: P & Selecting<S, F>,
    options?: RequestOptions,
  ): Promise<Page<Selected<R, F>, P & Selecting<S, F>>>;
}

/** `Q`: the parameters that a stream accepts; `I`: those of a single record. */
export interface StreamedList<R extends { id: unknown }, P, Q, I, S = never> extends List<R, P, S> {
  /** The record with this identifier, if there is one. */
  get(id: R["id"], parameters?: I, options?: RequestOptions): Promise<R | undefined>;
  /** Changes from now on, or from a position. Reconnects and resumes by itself; polls if the server has no streams. */
  follow<const F extends S | "*" = "*">(
    parameters?: Q & Selecting<S, F>,
    options?: FollowOptions,
  ): AsyncGenerator<Change<Selected<R, F>>, void>;
}

type WireRecord = Record<string, unknown>;

/** Records on a page of `list`: each page costs a request, but many callers stop early. */
const listSize = 100;

/** Implements every list; the catalog's types say what each one accepts and returns. */
export class AnyList {
  readonly #spec: ListSpec;
  readonly #transport: Transport;
  readonly #cache: Cache | undefined;
  readonly #siblings: Readonly<Record<string, AnyList>>;

  constructor(
    spec: ListSpec,
    transport: Transport,
    cache: Cache | undefined,
    siblings: Readonly<Record<string, AnyList>>,
  ) {
    this.#spec = spec;
    this.#transport = transport;
    this.#cache = cache;
    this.#siblings = siblings;
  }

  async *list(parameters: Parameters = {}, options: RequestOptions = {}): AsyncGenerator<WireRecord, void> {
    const { size } = this.#spec;
    const query = toQuery(this.#spec, parameters);
    const names = [...query.keys()].map((name) => name.toLowerCase());
    const sized = size === undefined || names.includes("pagesize");
    let next: Parameters | undefined = sized ? parameters : { ...parameters, pageSize: Math.min(listSize, size[1]) };
    while (next !== undefined) {
      const page: Page<WireRecord, Parameters> = await this.page(next, options);
      yield* page.records;
      next = page.next;
    }
  }

  async first(parameters: Parameters = {}, options: RequestOptions = {}): Promise<WireRecord | undefined> {
    const [record] = (await this.page(parameters, options)).records;
    return record;
  }

  get(id: unknown, parameters: Parameters = {}, options: RequestOptions = {}): Promise<WireRecord | undefined> {
    const spec = { ...this.#spec, path: `${this.#spec.path}/{id}`, parameters: `id ${this.#spec.item}` };
    return new AnyList(spec, this.#transport, this.#cache, {}).first({ ...parameters, id }, options);
  }

  async page(parameters: Parameters = {}, { signal }: RequestOptions = {}): Promise<Page<WireRecord, Parameters>> {
    const query = toQuery(this.#spec, parameters);
    const target = toTarget(this.#spec.path, query);
    const known = await this.#cache?.get(target);
    const headers = { accept: "application/json", ...(known === undefined ? {} : { "if-none-match": known.etag }) };
    return this.#transport.request(target, {
      headers,
      signal,
      read: async (response, watchdog) => {
        const isCached = response.status === 304 && known !== undefined;
        const etag = response.headers.get("etag") ?? undefined;
        const body = isCached ? known.body : await response.text();
        watchdog.stop();
        const records = this.#recordsOf(JSON.parse(body));
        const link = isCached ? known.link : response.headers.get("link");
        if (etag !== undefined && !isCached) await this.#cache?.set(target, { etag, body, link });
        return {
          records,
          next: this.#next(query, link, records.length),
          etag,
          limits: limitsOf(response.headers),
          position: response.headers.get("x-stream-position") ?? undefined,
          isCached,
        };
      },
    });
  }

  async *follow(parameters: Parameters = {}, options: FollowOptions = {}): AsyncGenerator<Change<WireRecord>, void> {
    const { path, poll: spec } = this.#spec;
    const query = toQuery(this.#spec, parameters);
    try {
      yield* stream<WireRecord>(this.#transport, `${path}/stream`, query, options);
    } catch (error) {
      if (spec === undefined || options.since !== undefined || !isWithoutStream(error)) throw error;
      yield* poll(
        this,
        spec.removed === undefined ? undefined : this.#siblings[spec.removed],
        spec,
        parameters,
        options,
      );
    }
  }

  #recordsOf(body: unknown): WireRecord[] {
    const { key, path } = this.#spec;
    const records = key === undefined ? body : (body as Record<string, unknown> | null)?.[key];
    if (!Array.isArray(records)) throw new TypeError(`${path} returned no list of records`);
    return records;
  }

  /** The next page is requested from the same server, whatever the link says. */
  #next(query: ReadonlyMap<string, string>, link: string | null, count: number): Parameters | undefined {
    const cursor = /<[^>]*[?&]cursor=([^&>]+)[^>]*>\s*;\s*rel="?next"?/.exec(link ?? "")?.[1];
    const { page, ...rest } = Object.fromEntries(query);
    if (cursor !== undefined) return { ...rest, cursor: decodeURIComponent(cursor) };
    const { numbered, size: [fallback] = [0] } = this.#spec;
    const size = Number(query.get("pagesize") ?? fallback);
    return numbered && count === size ? { ...rest, page: Number(page ?? 0) + 1 } : undefined;
  }
}
