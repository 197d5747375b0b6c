// Test mode: a clock that can be set, and faults for a key.
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { faultForm, parseFault } from "../../core/fault-injection.ts";
import { invalidParameters, type ParameterError } from "../../core/problem.ts";
import { parseQuery } from "../../core/query/query-string.ts";
import { parseInstant } from "../../core/value/time-zone.ts";
import { testEndpoints } from "../../endpoints/testing.ts";
import { hashKey, isKey } from "../../keys/key.ts";
import type { Store } from "../../store/store.ts";
import { tokenInHeader } from "../request/auth.ts";
import { queryOf } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type EndpointDeps, type Handlers, serveEndpoints } from "../routes/endpoints.ts";
import type { TestClock } from "./clock.ts";
import { type FaultDeps, faultInjector } from "./fault-injection.ts";

export type TestMode = Omit<FaultDeps, "faultOfKey"> & EndpointDeps & { readonly clock: TestClock };

const noteOf = (key: string): string => `test-fault:${key}`;

/** Registers the routes of test mode; the result injects faults. */
export function inTestMode(app: FastifyInstance, deps: TestMode): ReturnType<typeof faultInjector> {
  const { store, clock } = deps;
  clock.follow(store);
  app.addHook("onClose", async () => clock.stop());
  serveEndpoints(app, testEndpoints.endpoints, testHandlers(store, clock), deps);
  return faultInjector({ ...deps, faultOfKey: (request) => faultOfKey(deps.store, request) });
}

function testHandlers(store: Store, clock: TestClock): Handlers<typeof testEndpoints.endpoints> {
  return {
    setClock: async ({ members: { now, running = true, ...rest } }) => {
      const shown = now === null ? null : timeOf(now);
      refuseMembers([
        ...unknownOf(rest, "now and running"),
        ...(shown === undefined ? [mistake("now", now, timeExpected)] : []),
        ...(typeof running === "boolean" ? [] : [mistake("running", running, "true or false")]),
      ]);
      const at = Date.now() / 1000;
      await clock.set(store, typeof shown === "number" ? { at, shown, running: running === true } : undefined);
      const { setting } = clock;
      const time = new Date(Math.floor(clock.now()) * 1000).toISOString().replace(".000Z", "Z");
      return { body: { now: time, set: setting !== undefined, running: setting?.running ?? true } };
    },

    setFault: async ({ members: { key, fault, ...rest } }) => {
      const names = (await store.listKeys()).map(({ name }) => name);
      const isFault = fault === "" || (typeof fault === "string" && "fault" in parseFault(fault));
      refuseMembers([
        ...unknownOf(rest, "key and fault"),
        ...(names.includes(String(key)) ? [] : [mistake("key", key, "the name of a key")]),
        ...(isFault ? [] : [mistake("fault", fault, `empty for none, or ${faultForm}`)]),
      ]);
      await store.setMetadata(noteOf(String(key)), String(fault));
      return { body: { key, fault } };
    },
  };
}

/** What a key is to meet. Only lists of records are: whoever runs the server must be able to take it back. */
async function faultOfKey(store: Store, request: IncomingMessage): Promise<string> {
  const url = request.url ?? "";
  if (!url.startsWith("/api/")) return "";
  const { query } = parseQuery(queryOf(url));
  const token = query.get("token")?.[0] ?? tokenInHeader(request.headers.authorization);
  try {
    const row = isKey(token) ? await store.findKey(hashKey(token)) : undefined;
    return row === undefined ? "" : ((await store.getMetadata(noteOf(row.name))) ?? "");
  } catch {
    // Whatever is wrong with the database, the ordinary way meets it and says so.
    return "";
  }
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

const timeExpected = "a time of the years 1970 to 9998 such as 2026-01-15T12:00:00Z, or null for the real one";

/** A day more than the last one must still have four digits, in every zone. */
const endOfTimes = Date.UTC(9999, 0, 1) / 1000;

function timeOf(given: unknown): number | undefined {
  const time = typeof given === "string" && timeForm.test(given) ? parseInstant(given) : undefined;
  return time !== undefined && time >= 0 && time < endOfTimes ? time : undefined;
}

const mistake = (parameter: string, given: unknown, expected: string): ParameterError => ({
  parameter,
  given: given === undefined ? "nothing" : JSON.stringify(given).slice(0, 200),
  expected,
});

const unknownOf = (rest: object, known: string): ParameterError[] =>
  Object.entries(rest).map(([name, value]) => mistake(name, value, `to be left out: the members are ${known}`));

function refuseMembers(errors: readonly ParameterError[]): void {
  if (errors.length > 0) throw new ProblemError(invalidParameters("request.members", errors));
}
