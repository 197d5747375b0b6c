// What a check of one list works with: requests whose responses are compared with what they must be.
import { evaluate } from "../core/query/evaluate.ts";
import type { ParsedQuery } from "../core/query/planner.ts";
import type { WireRecord } from "../core/record/row.ts";
import { canonical, difference, shown } from "./compare.ts";
import { expectedRecords, isCovered, viewed } from "./expected.ts";
import { isVisible } from "./hidden.ts";
import type { Finding } from "./report.ts";
import type { Exchange, Request, Session } from "./session.ts";
import { isObject, type Pair, queryText, recordsIn, type Target, urlOf } from "./target.ts";
import { type Universe, universePage } from "./universe.ts";
import { parsed } from "./values.ts";

/** The records changed while they were compared. */
export class ChangedError extends Error {}

/** Per check of a list: further ones look alike. */
const maxFindings = 5;

export class Context {
  readonly session: Session;
  readonly target: Target;
  readonly universe: Universe;
  readonly check: string;
  readonly findings: Finding[] = [];

  constructor(session: Session, target: Target, universe: Universe, check: string) {
    this.session = session;
    this.target = target;
    this.universe = universe;
    this.check = check;
  }

  get isStrict(): boolean {
    return this.target.profile === "seed";
  }

  report(request: Request, message: string, details: { expected?: string; received?: string } = {}): void {
    if (this.findings.length >= maxFindings) return;
    this.findings.push({
      list: this.target.resource.name,
      check: this.check,
      message,
      ...details,
      request: this.session.curl(request),
    });
  }

  async send(request: Request): Promise<Exchange> {
    const exchange = await this.session.send(request);
    if (this.session.contains(exchange.text)) this.report(request, "the response contains the key");
    return exchange;
  }

  /** Sends a query of the list, and compares the response with what it must be. */
  async verify(...pairs: Pair[]): Promise<Exchange> {
    return this.verifyQuery(queryText(this.#scoped(pairs)));
  }

  /** The same for an encoded query, and another path. */
  async verifyQuery(query: string, path = this.target.path): Promise<Exchange> {
    const request = { url: urlOf(path, query) };
    const exchange = await this.send(request);
    const expectation = this.target.parse(query, this.universe.zone);
    if ("invalid" in expectation) this.expectInvalid(exchange, expectation.invalid);
    else if (isVisible(this.target.resource, expectation.query.plan, this.universe.records))
      await this.#expectRecords(exchange, expectation.query);
    else await this.#expectHidden(exchange, expectation.query);
    return exchange;
  }

  /** Compares what can be compared if it isn't known which records match: they exist, and are in order. */
  async #expectHidden(exchange: Exchange, { plan, view }: ParsedQuery): Promise<void> {
    const received = this.#records(exchange);
    if (received === undefined) return;
    const known = new Map(this.universe.records.map((each) => [canonical(each.wire.id), each]));
    const found = received.flatMap((record) => known.get(canonical(record.id)) ?? []);
    if (found.length < received.length && this.universe.isComplete)
      await this.#mismatch(exchange, "a record that the unfiltered list doesn't have");
    const sorted = evaluate(
      { ...plan, where: [], ranked: false, offset: 0 },
      found.map(({ row }) => row),
    );
    const expected = sorted.flatMap((row) => found.filter((each) => each.row === row));
    const problem = difference(
      expected.map((each) => viewed(this.target, each, plan, view)),
      received.filter((record) => known.has(canonical(record.id))),
    );
    if (problem !== undefined) await this.#mismatch(exchange, problem.message, problem);
  }

  /** A valid request of which nothing can match. */
  async verifyNothing(...pairs: Pair[]): Promise<void> {
    const exchange = await this.send({ url: urlOf(this.target.path, queryText(pairs)) });
    const received = this.#records(exchange);
    if (received !== undefined && received.length > 0)
      await this.#mismatch(exchange, "records although nothing can match", { received: `${received.length} records` });
  }

  expectInvalid(exchange: Exchange, parameters: readonly string[]): void {
    const { request, status, json } = exchange;
    const names = [...new Set(parameters)].sort();
    const details = { expected: "status 400", received: `status ${status}` };
    if (status !== 400) this.report(request, `an invalid request is not rejected: ${names.join(", ")}`, details);
    if (status !== 400 || !this.isStrict) return;
    const errors = isObject(json) && Array.isArray(json.errors) ? json.errors.filter(isObject) : [];
    const received = [...new Set(errors.map(({ parameter }) => String(parameter)))].sort();
    const missing = names.filter((name) => !received.includes(name));
    const surplus = received.filter((name) => !names.includes(name));
    const all = { expected: names.join(", "), received: received.join(", ") || "none" };
    if (missing.length > 0) this.report(request, `the error doesn't name ${missing.join(", ")}`, all);
    else if (surplus.length > 0) this.report(request, `the error names ${surplus.join(", ")}, which is valid`, all);
  }

  expectStatus({ request, status }: Exchange, expected: number, what: string): boolean {
    if (status === expected) return true;
    this.report(request, what, { expected: `status ${expected}`, received: `status ${status}` });
    return false;
  }

  /** Adds the scope of the known records if the response can't be compared without it. */
  #scoped(pairs: readonly Pair[]): readonly Pair[] {
    const { scope, zone } = this.universe;
    const query = parsed(this.target, zone, ...pairs);
    if (scope === undefined || query === undefined || isCovered(this.target, this.universe, query.plan)) return pairs;
    return parsed(this.target, zone, ...pairs, scope) === undefined ? pairs : [...pairs, scope];
  }

  #records(exchange: Exchange): readonly WireRecord[] | undefined {
    const { json, request } = exchange;
    if (!this.expectStatus(exchange, 200, "a valid request is rejected")) return undefined;
    const records = recordsIn(this.target.envelope, json);
    if (records === undefined)
      this.report(request, "the body isn't a list of records", { received: shown(exchange.text) });
    return records;
  }

  async #expectRecords(exchange: Exchange, query: ParsedQuery): Promise<void> {
    const received = this.#records(exchange);
    if (received === undefined) return;
    const expected = expectedRecords(this.target, this.universe, query);
    const problem = expected && difference(expected, received);
    if (problem !== undefined) await this.#mismatch(exchange, problem.message, problem);
  }

  /** Reports a difference, unless the records have changed since they were read. */
  async #mismatch(
    { request }: Exchange,
    message: string,
    details: { expected?: string; received?: string } = {},
  ): Promise<void> {
    const again = await this.session.send({ url: universePage(this.target, 0) });
    if (again.text !== this.universe.pages[0]?.text) throw new ChangedError();
    const { expected, received } = details;
    this.report(request, message, {
      ...(expected === undefined ? {} : { expected }),
      ...(received === undefined ? {} : { received }),
    });
  }
}
