// Suggests a name for a mistyped one.

/** The name that a mistyped one probably stands for; undefined if none is similar. */
export function closestName(received: string, names: readonly string[]): string | undefined {
  // A short name becomes any other with two edits.
  const most = received.length < 5 ? 1 : 2;
  const ranked = names
    .map((name) => ({ name, edits: editsBetween(received, name) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.name;
}

/** Ends an error message; empty if no name is similar. */
export function suggestion(received: string, names: readonly string[]): string {
  const name = closestName(received, names);
  return name === undefined ? "" : `; did you mean ${name}?`;
}

/** The fewest letters to insert, remove, replace, or swap with their neighbor. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
