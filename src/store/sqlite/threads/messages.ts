// What goes between the main thread and a thread that runs SQLite. Everything in it can be cloned.
import { ExpensiveError, IncompatibleError, StoreError } from "../../store.ts";

/** The database that a thread works on from now on. */
export type Attachment = {
  readonly file: string;
  /** How long a read may take before it is canceled. */
  readonly limitMs: number;
};

/** An operation by its name, and its arguments. */
export type Call = readonly [id: number, name: string, args: readonly unknown[]];

export type Request =
  | { readonly attach: Attachment }
  | { readonly calls: readonly Call[] }
  /** Close the database; replied to once that is done. */
  | { readonly detach: true };

/** What both threads see at once, by its place in shared memory: the call that is running, and up to which to skip. */
export const progress = { running: 0, skipped: 1 } as const;

export type Reply = {
  readonly results: readonly (readonly [id: number, value: unknown])[];
  readonly failures?: readonly (readonly [id: number, failure: Failure])[];
  readonly detached?: true;
};

/** An error: errors lose their class when they are cloned. */
export type Failure = {
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
