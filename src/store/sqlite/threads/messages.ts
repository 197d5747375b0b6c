// Messages between the main thread and SQLite threads; all of them can be cloned.
import { ExpensiveError, IncompatibleError, StoreError } from "../../store.ts";

/** The database to attach a thread to. */
export type Attachment = {
  readonly file: string;
  /** Time limit of a read, after which it's canceled. */
  readonly limitMs: number;
};

/** The name of an operation, and its arguments. */
export type Call = readonly [id: number, name: string, args: readonly unknown[]];

export type Request =
  | { readonly attach: Attachment }
  | { readonly calls: readonly Call[] }
  /** Closes the database; the reply confirms it. */
  | { readonly detach: true };

/** Slots in shared memory: the ID of the running call, and the one up to which to skip calls. */
export const sharedSlots = { running: 0, skipped: 1 } as const;

export type Reply = {
  readonly results: readonly (readonly [id: number, value: unknown])[];
  readonly failures?: readonly (readonly [id: number, failure: Failure])[];
  readonly detached?: true;
};

/** A serialized error: errors lose their class when cloned. */
type Failure = {
  readonly kind: "expensive" | "store" | "incompatible" | "fault";
  readonly message: string;
  readonly stack: string | undefined;
  /** SQLite's result code. */
  readonly code: number | undefined;
};

export function failureOf(error: unknown): Failure {
  const { message, stack, cause } = error as Error & { cause?: { errcode?: number } };
  return { kind: kindOf(error), message, stack, code: cause?.errcode };
}

function kindOf(error: unknown): Failure["kind"] {
  if (error instanceof ExpensiveError) return "expensive";
  if (error instanceof StoreError) return "store";
  return error instanceof IncompatibleError ? "incompatible" : "fault";
}

export function errorOf({ kind, message, stack, code }: Failure): Error {
  const error = errorOfKind(kind, message, code === undefined ? undefined : { cause: { errcode: code } });
  if (stack !== undefined) error.stack = stack;
  return error;
}

function errorOfKind(kind: Failure["kind"], message: string, options: ErrorOptions | undefined): Error {
  if (kind === "expensive") return new ExpensiveError(message, options);
  if (kind === "store") return new StoreError(message, options);
  return kind === "incompatible" ? new IncompatibleError(message, options) : new Error(message, options);
}
