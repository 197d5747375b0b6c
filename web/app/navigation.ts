// Where one can go: the views, and one for each list of the document.
import type { ApiDocument, Listing } from "../api/document.ts";
import { today } from "../api/settings.ts";
import { workingWeek } from "../format/day.ts";

export type Target = {
  readonly path: string;
  /** Where the link leads: for what is scheduled ahead, to the days that matter now. */
  readonly href: string;
  readonly label: string;
  readonly keys: string;
};

/** Of records that are scheduled ahead, newest first would begin in a far future. */
function hrefOf({ view, display }: Listing): string {
  if (!display.ahead) return view;
  const [from, to] = workingWeek(today());
  return `${view}?date_from=${from}&date_to=${to}`;
}

export function targetsOf(document: ApiDocument | undefined): Target[] {
  const lists = (document?.listings ?? []).toSorted((a, b) => Number(a.isCalendar) - Number(b.isCalendar));
  return [
    { path: "/", href: "/", label: "Today", keys: "g t" },
    ...lists.map((listing) => ({
      path: listing.view,
      href: hrefOf(listing),
      label: listing.display.label,
      keys: listing.display.key === "" ? "" : `g ${listing.display.key}`,
    })),
    { path: "/operator", href: "/operator", label: "Operator", keys: "g o" },
  ];
}

/** Whether a path is that of a target or below it. */
export function isAt(path: string, target: Target): boolean {
  if (target.path === "/") return path === "/" || path.startsWith("/day/");
  return path === target.path || path.startsWith(`${target.path}/`);
}
