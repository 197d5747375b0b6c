// Formats a log line for a terminal: time, level, message, then the other fields.

/** From a JSON line; ends with a newline. */
export function readableLine(line: string): string {
  const { level, time, msg = "", ...fields } = JSON.parse(line) as Record<string, unknown>;
  const inline: string[] = [];
  const below: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    // Stacks go below, line by line.
    if (typeof value === "string" && value.includes("\n"))
      below.push(...value.split("\n").map((each) => `    ${each}`));
    else inline.push(`${name}=${shown(value)}`);
  }
  const head = [clockOf(String(time)), String(level).padEnd(5), String(msg), ...inline].filter((part) => part !== "");
  return `${[head.join(" "), ...below].map(withoutControls).join("\n")}\n`;
}

const shown = (value: unknown): string =>
  typeof value === "string" && /^[^\s"]+$/.test(value) ? value : (JSON.stringify(value) ?? String(value));

/** Text from clients must not control the terminal. */
const withoutControls = (text: string): string => text.replace(/\p{Cc}/gu, "?");

/** Local time. */
function clockOf(time: string): string {
  const moment = new Date(time);
  const parts = [moment.getHours(), moment.getMinutes(), moment.getSeconds()];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
