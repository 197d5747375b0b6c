// Result of a check: what was found and what to do about it.

export type Finding = {
  /** What was checked, in one word. */
  readonly check: string;
  /** A fault breaks the service; a warning may later, or does other harm. */
  readonly level: "ok" | "warning" | "fault";
  readonly found: string;
  /** What to do, if anything. */
  readonly advice?: string;
};

export const ok = (check: string, found: string): Finding => ({ check, level: "ok", found });

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
