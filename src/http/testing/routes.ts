// Test mode: endpoints that set the clock and the faults of a key.
import type { IncomingMessage } from "node:http";
import type { FastifyInstance } from "fastify";
import { faultForm, parseFault } from "../../core/fault-injection.ts";
import { invalidParameters, type ParameterError } from "../../core/problem.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { parseInstant } from "../../core/value/time-zone.ts";
import { isoTime } from "../../core/value/timestamp.ts";
import { testEndpoints } from "../../endpoints/testing.ts";
import { hashKey, isKey } from "../../keys/key.ts";
import type { Store } from "../../store/store.ts";
import { headerToken } from "../request/auth.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type EndpointDeps, type Handlers, serveEndpoints } from "../routes/endpoints.ts";
import type { TestClock } from "./clock.ts";
import { type FaultDeps, faultInjector } from "./fault-injection.ts";

type TestMode = Omit<FaultDeps, "faultOfKey"> & EndpointDeps & { readonly clock: TestClock };

const noteOf = (key: string): string => `test-fault:${key}`;

/** Returns the fault injector. */
export function registerTestRoutes(app: FastifyInstance, deps: TestMode): ReturnType<typeof faultInjector> {
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
      throwIfInvalidMembers([
        ...unknownOf(rest, "now and running"),
        ...(shown === undefined ? [error("now", now, timeExpected)] : []),
        ...(typeof running === "boolean" ? [] : [error("running", running, "true or false")]),
      ]);
      const at = Date.now() / 1000;
      await clock.set(store, typeof shown === "number" ? { at, shown, running: running === true } : undefined);
      const { setting } = clock;
      const time = isoTime(clock.now());
      return { body: { now: time, set: setting !== undefined, running: setting?.running ?? true } };
    },

    setFault: async ({ members: { key, fault, ...rest } }) => {
      const names = (await store.listKeys()).map(({ name }) => name);
      const isFault = fault === "" || (typeof fault === "string" && "fault" in parseFault(fault));
      throwIfInvalidMembers([
        ...unknownOf(rest, "key and fault"),
        ...(names.includes(String(key)) ? [] : [error("key", key, "the name of a key")]),
        ...(isFault ? [] : [error("fault", fault, `empty for none, or ${faultForm}`)]),
      ]);
      await store.setMetadata(noteOf(String(key)), String(fault));
      return { body: { key, fault } };
    },
  };
}

/** Applies to lists only, so that an operator can still remove the fault. */
async function faultOfKey(store: Store, request: IncomingMessage): Promise<string> {
  const url = request.url ?? "";
  if (!url.startsWith("/api/")) return "";
  const { query } = parseQuery(queryOf(url));
  const token = query.get("token")?.[0] ?? headerToken(request.headers.authorization);
  try {
    const row = isKey(token) ? await store.findKey(hashKey(token)) : undefined;
    return row === undefined ? "" : ((await store.getMetadata(noteOf(row.name))) ?? "");
  } catch {
    // The handler meets the same database error and reports it.
    return "";
  }
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/;

const timeExpected = "a time from 1970 to 9998 such as 2026-01-15T12:00:00Z, or null for the real time";

/** One day later, the year must still have four digits in every time zone. */
const endOfTime = Date.UTC(9999, 0, 1) / 1000;

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" && timeForm.test(value) ? parseInstant(value) : undefined;
  return time !== undefined && time >= 0 && time < endOfTime ? time : undefined;
}

const error = (parameter: string, value: unknown, expected: string): ParameterError => ({
  parameter,
  given: value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200),
  expected,
});

const unknownOf = (rest: object, known: string): ParameterError[] =>
  Object.entries(rest).map(([name, value]) => error(name, value, `no such member: the members are ${known}`));

function throwIfInvalidMembers(errors: readonly ParameterError[]): void {
  if (errors.length > 0) throw new ProblemError(invalidParameters("request.members", errors));
}
