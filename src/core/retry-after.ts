// Parses `Retry-After` (RFC 9110, section 10.2.3): seconds from now, or a date.

/** Milliseconds from now; undefined if the header is missing or invalid. */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | undefined {
  if (header === null || header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
