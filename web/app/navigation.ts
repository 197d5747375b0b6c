// Navigation items: the views, and one for each list in the OpenAPI document.
import type { ApiDocument, Listing } from "../api/document.ts";

export type NavItem = {
  readonly path: string;
  /** For records scheduled ahead, the agenda of the current week. */
  readonly href: string;
  readonly label: string;
  readonly keys: string;
};

/** Newest first would start far in the future for records scheduled ahead. */
const hrefOf = ({ view, display }: Listing): string => (display.ahead ? `${view}?view=agenda` : view);

export function navItems(document: ApiDocument | undefined): NavItem[] {
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

/** Whether a path is that of the item or below it. */
export function isCurrent(path: string, item: NavItem): boolean {
  if (item.path === "/") return path === "/" || path.startsWith("/day/");
  return path === item.path || path.startsWith(`${item.path}/`);
}
