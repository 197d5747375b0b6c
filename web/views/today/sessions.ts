// When in the trading day a company reports: before the open, in hours, after the close, or at a time nobody has said.

export type Session = "before" | "during" | "after" | "unknown";

export const sessionTitles: Readonly<Record<Session, string>> = {
  before: "Before the open",
  during: "During market hours",
  after: "After the close",
  unknown: "Time not given",
};

const codes: Readonly<Record<string, Session>> = { bmo: "before", dmh: "during", amc: "after" };

/** Of a session code, or of a clock time of New York, where trading goes from 09:30 to 16:00. */
export function sessionOf(time: unknown): Session {
  const text = String(time ?? "").toLowerCase();
  const known = codes[text];
  if (known !== undefined) return known;
  if (!/^\d\d:\d\d/.test(text) || text.startsWith("00:00")) return "unknown";
  if (text < "09:30") return "before";
  return text < "16:00" ? "during" : "after";
}

export const sessions: readonly Session[] = ["before", "during", "after", "unknown"];
