// What errors of the driver and of the server mean: lost, busy, stopped, or a fault of ours.
import pg from "pg";
import { BusyError, ExpensiveError, type StoreError } from "../../store.ts";
import { unanswered } from "./statement.ts";

export const readOnly = "25006";
const queryCanceled = "57014";

export const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? "") : "");

/** A server that starts or stops, a standby that cannot write, a lack of resources. Anything else is a fault of ours. */
export const isUnavailable = (error: unknown): boolean => /^(08|57P0|53|25006|58030|XX000)/.test(codeOf(error));

/** A named statement is not there, or somebody else's; or a limit of the session is refused. */
export const isSessionless = (error: unknown): boolean =>
  /^(26000|42P05)/.test(codeOf(error)) ||
  (codeOf(error) === "08P01" && /startup parameter/.test((error as Error).message));

/** What is thrown for a statement that was stopped: for its time, or on a standby for a change of the primary. */
export function stoppedBy(name: string, error: unknown): StoreError | undefined {
  const { message } = error as Error;
  if (codeOf(error) === queryCanceled)
    return new ExpensiveError(`${name} canceled a statement: ${message}`, { cause: error });
  if (/^(40001|40P01|55P03)/.test(codeOf(error)) || isUnanswered(error))
    return new BusyError(`${name} was too slow: ${message}`, { cause: error });
  return undefined;
}

export const isUnanswered = (error: unknown): boolean => (error as Error).message === unanswered;

/** No pool's connection came free in time, or the server has no more to give. */
export const isFull = (error: unknown): boolean =>
  codeOf(error) === "53300" || (error as Error).message === "timeout exceeded when trying to connect";

/** Whether the connection is lost with it: not an answer of the server, nor anything of our own. */
export function isBroken(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity === "FATAL" || error.severity === "PANIC";
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    isUnanswered(error) ||
    /^E[A-Z]+$/.test(code ?? "") ||
    /^(Connection terminated|Client .* not queryable)/.test(message)
  );
}
