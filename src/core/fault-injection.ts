// Trouble that a client asks for, to be tested against it: `delay=2s, status=503`.
import type { Mistake } from "./problem.ts";

export type Fault = {
  readonly delayMs: number;
  /** What becomes of the answer; undefined: it is given as always, after the delay. */
  readonly then:
    | { readonly status: number; readonly retryAfter: number | undefined }
    /** The connection is closed before the answer, or in the middle of its body. */
    | "cut"
    | "truncate"
    | undefined;
};

export const faultHeader = "X-Bellwire-Fault";

export const faultForm =
  "delay=TIME (500ms, 2s), and one of status=CODE (400 to 599), retry-after=SECONDS (with a status, or alone for 429), cut, truncate; each once, separated by commas";

const longestMs = 300_000;

const readers: Readonly<Record<string, (value: string | undefined) => object | undefined>> = {
  delay: (value = "") => {
    const [, amount, unit] = /^(\d{1,6})(ms|s)$/.exec(value) ?? [];
    const delayMs = Number(amount) * (unit === "s" ? 1000 : 1);
    return delayMs <= longestMs ? { delayMs } : undefined;
  },
  status: (value = "") => (/^[45]\d\d$/.test(value) ? { status: Number(value) } : undefined),
  "retry-after": (value = "") => (/^\d{1,5}$/.test(value) ? { retryAfter: Number(value) } : undefined),
  cut: (value) => (value === undefined ? { cut: true } : undefined),
  truncate: (value) => (value === undefined ? { truncate: true } : undefined),
};

type Parts = { delayMs?: number; status?: number; retryAfter?: number; cut?: true; truncate?: true };

export function parseFault(text: string): { readonly fault: Fault } | { readonly mistake: Mistake } {
  const mistake = { parameter: faultHeader, given: text, expected: faultForm };
  const parts: Parts = {};
  const given = new Set<string>();
  for (const item of text.split(/[,;]/).map((each) => each.trim())) {
    const [name = "", value, ...surplus] = item.split("=");
    const part = Object.hasOwn(readers, name) ? readers[name]?.(value) : undefined;
    if (part === undefined || surplus.length > 0 || given.has(name)) return { mistake };
    given.add(name);
    Object.assign(parts, part);
  }
  const { delayMs = 0, retryAfter, cut, truncate } = parts;
  const status = parts.status ?? (retryAfter === undefined ? undefined : 429);
  const ends = [status, cut, truncate].filter((each) => each !== undefined);
  if (ends.length > 1) return { mistake };
  const then = status === undefined ? (cut ? "cut" : truncate ? "truncate" : undefined) : { status, retryAfter };
  return { fault: { delayMs, then } };
}
