// Errors that users can fix: printed without a stack trace.

export class UserError extends Error {}

/** Invalid command line. */
export class UsageError extends UserError {}
