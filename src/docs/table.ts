// Markdown tables.

/** Cells may hold anything: pipes and line breaks are kept from ending a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")));
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(first.map(() => "---")), ...rest.map(line)].join("\n");
}

export const code = (text: string): string => `\`${text}\``;
