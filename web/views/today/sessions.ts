// Trading sessions: before the open, during market hours, after the close, or unknown.

export type Session = "before" | "during" | "after" | "unknown";

export const sessionTitles: Readonly<Record<Session, string>> = {
  before: "Before open",
  during: "During market hours",
  after: "After close",
  unknown: "Time unknown",
};

const codes: Readonly<Record<string, Session>> = { bmo: "before", dmh: "during", amc: "after" };

/** From a session code, or from New York time, where trading hours are 09:30 to 16:00. */
export function sessionOf(time: unknown): Session {
  const text = String(time ?? "").toLowerCase();
  const known = codes[text];
  if (known !== undefined) return known;
  if (!/^\d\d:\d\d/.test(text) || text.startsWith("00:00")) return "unknown";
  if (text < "09:30") return "before";
  return text < "16:00" ? "during" : "after";
}

export const sessions: readonly Session[] = ["before", "during", "after", "unknown"];
