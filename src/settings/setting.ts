// What a setting is, and the checks that many of them share.

export type Setting = {
  readonly value: string;
  readonly help: string;
  /** Undefined: left to the database or to the command. */
  readonly fallback?: string;
  readonly check?: (text: string) => boolean;
  readonly expected?: string;
  /** May hold a password: never shown back. */
  readonly secret?: boolean;
};

export const number = (min: number, max: number) => ({
  check: (text: string) => /^\d{1,6}$/.test(text) && Number(text) >= min && Number(text) <= max,
  expected: `a number from ${min} to ${max}`,
});

export const filled = (expected: string) => ({ check: (text: string) => text.trim() !== "", expected });

export const words = (...allowed: readonly string[]) => ({
  check: (text: string) => allowed.includes(text),
  expected: `one of ${allowed.join(", ")}`,
});

export const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const isPostgres = (database: string): boolean => /^postgres(ql)?:\/\//.test(database);
