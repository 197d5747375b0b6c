// Dates of news in wire format, `Sun, 15 Nov 2026 05:02:53 -0500`. Day and time are parsed from the text, in the
// server's time zone, independent of the browser's.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export type WireTime = {
  /** `2026-11-15` */
  readonly day: string;
  /** `05:02` */
  readonly clock: string;
};

/** Empty strings if it isn't such a date. */
export function wireTime(printed: unknown): WireTime {
  const [, date = "", month = "", year = "", clock = ""] =
    /^\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d):\d\d/.exec(String(printed)) ?? [];
  const number = months.indexOf(month) + 1;
  return number === 0 ? { day: "", clock: "" } : { day: `${year}-${String(number).padStart(2, "0")}-${date}`, clock };
}
