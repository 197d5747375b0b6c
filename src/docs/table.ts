// Markdown blocks.

export const page = (blocks: readonly string[]): string => `${blocks.join("\n\n")}\n`;
export const bullets = (...lines: string[]): string => lines.map((line) => `- ${line}`).join("\n");
export const fence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** Escapes pipes and line breaks. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")));
  const line = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
  const [first = [], ...rest] = cells;
  return [line(first), line(first.map(() => "---")), ...rest.map(line)].join("\n");
}

export const code = (text: string): string => `\`${text}\``;
