// Classifies errors of the driver and the server: connection lost, busy, canceled, or a bug of ours.
import pg from "pg";
import { BusyError, ExpensiveError, type StoreError } from "../../store.ts";
import { timeoutMessage } from "./statement.ts";

export const readOnlyTransaction = "25006";
const queryCanceled = "57014";

export const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? "") : "");

/** The server is starting or stopping, is a standby that can't write, or lacks resources. */
export const isUnavailable = (error: unknown): boolean => /^(08|57P0|53|25006|58030|XX000)/.test(sqlState(error));

/** A pooler in transaction mode: a prepared statement is missing or foreign, or a startup parameter rejected. */
export const isSessionMissing = (error: unknown): boolean =>
  /^(26000|42P05)/.test(sqlState(error)) ||
  (sqlState(error) === "08P01" && /startup parameter/.test((error as Error).message));

/** For a statement that was canceled: by a timeout, or on a standby by a conflict with replication. */
export function statementError(name: string, error: unknown): StoreError | undefined {
  const { message } = error as Error;
  if (sqlState(error) === queryCanceled)
    return new ExpensiveError(`${name} canceled a statement: ${message}`, { cause: error });
  if (/^(40001|40P01|55P03)/.test(sqlState(error)) || isTimeout(error))
    return new BusyError(`${name} was too slow: ${message}`, { cause: error });
  return undefined;
}

export const isTimeout = (error: unknown): boolean => (error as Error).message === timeoutMessage;

/** No connection of the pool became available in time, or the server accepts no more. */
export const isOutOfConnections = (error: unknown): boolean =>
  sqlState(error) === "53300" || (error as Error).message === "timeout exceeded when trying to connect";

export function isConnectionLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.severity === "FATAL" || error.severity === "PANIC";
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    isTimeout(error) || /^E[A-Z]+$/.test(code ?? "") || /^(Connection terminated|Client .* not queryable)/.test(message)
  );
}
