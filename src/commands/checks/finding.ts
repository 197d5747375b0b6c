// What a check found, and what to do about it.

export type Finding = {
  /** What was looked at, in a word. */
  readonly check: string;
  /** A fault keeps the service from working; a warning will, or harms in another way. */
  readonly level: "ok" | "warning" | "fault";
  readonly found: string;
  /** What to do; only where something is to be done. */
  readonly advice?: string;
};

export const fine = (check: string, found: string): Finding => ({ check, level: "ok", found });

export const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "warning",
  found,
  advice,
});

export const fault = (check: string, found: string, advice: string): Finding => ({
  check,
  level: "fault",
  found,
  advice,
});
