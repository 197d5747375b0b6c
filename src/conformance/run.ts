// Runs all checks on all lists of a server, within the budget of requests.
import type { CompatTable } from "../core/catalog/compat.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { UserError } from "../core/user-error.ts";
import { type Zone, zone } from "../core/value/time-zone.ts";
import { accessCheck } from "./checks/access.ts";
import { cachingCheck } from "./checks/caching.ts";
import type { Check } from "./checks/check.ts";
import { deltasCheck } from "./checks/deltas.ts";
import { filtersCheck } from "./checks/filters.ts";
import { formatsCheck } from "./checks/formats.ts";
import { orderCheck } from "./checks/order.ts";
import { pagesCheck } from "./checks/pages.ts";
import { errorsCheck, limitsCheck, spellingsCheck } from "./checks/parameters.ts";
import { recordsCheck } from "./checks/records.ts";
import { viewsCheck } from "./checks/views.ts";
import { ChangedError, Context } from "./context.ts";
import type { CheckResult, Report } from "./report.ts";
import { BudgetError, NoResponseError, Session, type SessionOptions } from "./session.ts";
import { type Profile, type Target, targetOf } from "./target.ts";
import { NoListError, readUniverse, type Universe } from "./universe.ts";

/** In the order of importance: the budget may end before the last ones. */
const allChecks: readonly Check[] = [
  recordsCheck,
  orderCheck,
  pagesCheck,
  filtersCheck,
  deltasCheck,
  accessCheck,
  viewsCheck,
  formatsCheck,
  cachingCheck,
  errorsCheck,
  spellingsCheck,
  limitsCheck,
];

export const checkNames: readonly string[] = allChecks.map(({ name }) => name);

export type CheckOptions = Omit<SessionOptions, "budget"> & {
  readonly profile: Profile;
  /** The lists to check. */
  readonly lists: readonly Resource[];
  /** Names of the checks to run; all by default. */
  readonly only?: readonly string[] | undefined;
  readonly compatTable: CompatTable;
  readonly budget?: number;
  /** Called before each list. */
  readonly onList?: (name: string) => void;
};

export const defaultBudget = 2000;

export async function checkServer(options: CheckOptions): Promise<Report> {
  const { base, profile, lists, compatTable, budget = defaultBudget, onList = () => {} } = options;
  const checks = allChecks.filter(({ name }) => options.only?.includes(name) ?? true);
  const began = performance.now();
  const session = new Session({ ...options, budget });
  const results: CheckResult[] = [];
  for (const [at, resource] of lists.entries()) {
    onList(resource.name);
    const target = targetOf(resource, profile === "compat" ? compatTable.get(resource) : undefined);
    // Requests that earlier lists didn't need are left for later ones.
    session.limit = session.requests + Math.floor((budget - session.requests) / (lists.length - at));
    results.push(...(await checkList(session, target, checks)));
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { url: base, profile, requests: session.requests, seconds, results };
}

const maxReadings = 3;

/** Starts over if records change in the meantime. */
async function checkList(session: Session, target: Target, checks: readonly Check[]): Promise<CheckResult[]> {
  for (let reading = 1; ; reading++) {
    const before = session.requests;
    try {
      const universe = await readUniverse(session, target, zone("America/New_York") as Zone);
      return await runChecks(session, target, universe, checks, session.requests - before);
    } catch (error) {
      if (error instanceof ChangedError && reading < maxReadings) continue;
      return [unread(session, target, error, session.requests - before)];
    }
  }
}

/** A list that couldn't be read. */
function unread(session: Session, { resource }: Target, error: unknown, requests: number): CheckResult {
  const { name, title } = recordsCheck;
  const result = { list: resource.name, check: name, title, requests, findings: [] };
  if (error instanceof BudgetError) return { ...result, skipped: "the budget of requests is used up" };
  if (error instanceof ChangedError)
    return {
      ...result,
      skipped: "records changed while they were compared; check a server that nothing is imported into",
    };
  if (error instanceof NoResponseError) {
    const request = session.curl(error.request);
    if (!session.hasResponded) throw new UserError(`no response (${error.message}) to ${request}`);
    const finding = { list: resource.name, check: name, message: "no response", received: error.message, request };
    return { ...result, findings: [finding] };
  }
  if (!(error instanceof NoListError)) throw error;
  const { request, status, text } = error.exchange;
  if (status === 403) return { ...result, skipped: "the key may not read this list" };
  const message = status === 200 ? "the body isn't a list of records" : "the list can't be read";
  const received = `status ${status}: ${text.slice(0, 200)}`;
  return {
    ...result,
    findings: [{ list: resource.name, check: name, message, received, request: session.curl(request) }],
  };
}

async function runChecks(
  session: Session,
  target: Target,
  universe: Universe,
  checks: readonly Check[],
  reading: number,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  let isLost = false;
  for (const { name, title, run } of checks) {
    const context = new Context(session, target, universe, name);
    const before = session.requests - (results.length === 0 ? reading : 0);
    let skipped: string | undefined;
    try {
      // Every further check of an unresponsive server would wait for the timeout again.
      if (isLost) skipped = "the server did not respond";
      else await run(context);
    } catch (error) {
      if (error instanceof NoResponseError) {
        isLost = true;
        context.report(error.request, "no response", { received: error.message });
      } else if (error instanceof BudgetError) skipped = "the budget of requests is used up";
      else throw error;
    }
    if (universe.records.length === 0 && name === filtersCheck.name) skipped = "the list has no records";
    results.push({
      ...{ list: target.resource.name, check: name, title, requests: session.requests - before },
      findings: context.findings,
      ...(skipped === undefined ? {} : { skipped }),
    });
  }
  return results;
}
