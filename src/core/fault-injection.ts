// Fault injection for client tests: `delay=2s, status=503`.
import type { ParameterError } from "./problem.ts";

export type Fault = {
  readonly delayMs: number;
  /** What replaces the response; undefined: only the delay. */
  readonly then:
    | { readonly status: number; readonly retryAfter: number | undefined }
    /** Closes the connection before the response, or in the middle of its body. */
    | "cut"
    | "truncate"
    | undefined;
};

export const faultHeader = "X-Bellwire-Fault";

export const faultForm =
  "delay=TIME (500ms, 2s), and one of status=CODE (400 to 599), retry-after=SECONDS (with a status, or alone for 429), cut, truncate; each at most once, separated by commas";

const maxDelayMs = 300_000;

const parsers: Readonly<Record<string, (value: string | undefined) => object | undefined>> = {
  delay: (value = "") => {
    const [, amount, unit] = /^(\d{1,6})(ms|s)$/.exec(value) ?? [];
    const delayMs = Number(amount) * (unit === "s" ? 1000 : 1);
    return delayMs <= maxDelayMs ? { delayMs } : undefined;
  },
  status: (value = "") => (/^[45]\d\d$/.test(value) ? { status: Number(value) } : undefined),
  "retry-after": (value = "") => (/^\d{1,5}$/.test(value) ? { retryAfter: Number(value) } : undefined),
  cut: (value) => (value === undefined ? { cut: true } : undefined),
  truncate: (value) => (value === undefined ? { truncate: true } : undefined),
};

type Parts = { delayMs?: number; status?: number; retryAfter?: number; cut?: true; truncate?: true };

export function parseFault(text: string): { readonly fault: Fault } | { readonly error: ParameterError } {
  const error = { parameter: faultHeader, given: text, expected: faultForm };
  const parts: Parts = {};
  const seen = new Set<string>();
  for (const item of text.split(/[,;]/).map((each) => each.trim())) {
    const [name = "", value, ...surplus] = item.split("=");
    const part = Object.hasOwn(parsers, name) ? parsers[name]?.(value) : undefined;
    if (part === undefined || surplus.length > 0 || seen.has(name)) return { error };
    seen.add(name);
    Object.assign(parts, part);
  }
  const { delayMs = 0, retryAfter, cut, truncate } = parts;
  const status = parts.status ?? (retryAfter === undefined ? undefined : 429);
  const ends = [status, cut, truncate].filter((each) => each !== undefined);
  if (ends.length > 1) return { error };
  const then = status === undefined ? (cut ? "cut" : truncate ? "truncate" : undefined) : { status, retryAfter };
  return { fault: { delayMs, then } };
}
