// Pieces of Markdown that the reference pages are made of.

export const page = (blocks: readonly string[]): string => `${blocks.join("\n\n")}\n`;
export const bullets = (...lines: string[]): string => lines.map((line) => `- ${line}`).join("\n");
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Cells may hold anything: pipes and line breaks are kept from ending a cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")));
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(first.map(() => "---")), ...rest.map(line)].join("\n");
}

export const code = (text: string): string => `\`${text}\``;
