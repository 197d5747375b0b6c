// The shape of a setting, and shared validators.

export type Setting = {
  readonly value: string;
  readonly help: string;
  /** Undefined: depends on the database or the command. */
  readonly fallback?: string;
  readonly check?: (text: string) => boolean;
  readonly expected?: string;
  /** May contain a password, so it is never printed. */
  readonly secret?: boolean;
};

export const integer = (min: number, max: number) => ({
  check: (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max,
  expected: `a number from ${min} to ${max}`,
});

export const nonEmpty = (expected: string) => ({ check: (text: string) => text.trim() !== "", expected });

export const oneOf = (...allowed: readonly string[]) => ({
  check: (text: string) => allowed.includes(text),
  expected: `one of ${allowed.join(", ")}`,
});

export const parseList = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);
