// Misspelled options in tests without TypeScript: if they were ignored, a test would check something else.

export function requireKnownNames(what: string, value: object, known: readonly string[]): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new TypeError(`${what}: no option "${unknown[0]}": expected ${known.join(", ")}`);
}
