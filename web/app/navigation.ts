// Where one can go: the views, and one calendar for each that the API has.
import type { ApiDocument } from "../api/document.ts";
import { today } from "../api/settings.ts";
import { workingWeek } from "../format/day.ts";

export type Target = {
  readonly path: string;
  /** Where the link leads: for what is planned ahead, to the days that matter now. */
  readonly href: string;
  readonly label: string;
  readonly keys: string;
};

/** Short labels and keys for the calendars that are known; another one is shown by its own name. */
const calendars: Readonly<Record<string, readonly [label: string, keys: string]>> = {
  ratings: ["Ratings", "g r"],
  dividends: ["Dividends", "g d"],
  guidance: ["Guidance", "g u"],
  earnings: ["Earnings", "g e"],
  economics: ["Economics", "g c"],
  "conference-calls": ["Calls", "g l"],
};

/** Calendars of what is to come: newest first would begin in a far future. */
const planned = new Set(["dividends", "earnings", "economics", "conference-calls"]);

function calendarHref(name: string): string {
  if (!planned.has(name)) return `/calendar/${name}`;
  const [from, to] = workingWeek(today());
  return `/calendar/${name}?date_from=${from}&date_to=${to}`;
}

/** In the order in which they stand in the bar. */
const order = ["economics", "earnings", "ratings", "guidance", "dividends", "conference-calls"];

export function targetsOf(document: ApiDocument | undefined): Target[] {
  // Before the document is there, the bar shows what is known: it would jump otherwise.
  const names = document?.listings.filter(({ isCalendar }) => isCalendar).map(({ name }) => name) ?? order;
  const place = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [
    { path: "/", href: "/", label: "Today", keys: "g t" },
    { path: "/news", href: "/news", label: "News", keys: "g n" },
    ...names
      .toSorted((a, b) => place(a) - place(b))
      .map((name) => ({
        path: `/calendar/${name}`,
        href: calendarHref(name),
        label: calendars[name]?.[0] ?? name,
        keys: calendars[name]?.[1] ?? "",
      })),
    { path: "/operator", href: "/operator", label: "Operator", keys: "g o" },
  ];
}

/** Whether a path is that of a target or below it. */
export function isAt(path: string, target: Target): boolean {
  if (target.path === "/") return path === "/" || path.startsWith("/day/");
  return path === target.path || path.startsWith(`${target.path}/`);
}
