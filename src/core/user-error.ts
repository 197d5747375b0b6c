// Errors that a person can mend: they are shown by their message alone, without a stack.

export class PlainError extends Error {}

/** A mistake on the command line. */
export class UsageError extends PlainError {}
