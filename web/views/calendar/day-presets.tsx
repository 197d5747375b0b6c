// Shortcuts for common ranges of days.
import type { Listing } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { hrefWith, useLocation } from "../../app/location.ts";
import { monthOf, workingWeek } from "../../format/day.ts";
import { type DayRange, dayFilters, monthRange, type RangeView, rangeParams } from "./day-range.ts";

type Props = {
  readonly listing: Listing;
  /** Undefined for the table, which also shows all days. */
  readonly view?: RangeView;
  readonly range?: DayRange;
};

export function DayPresets({ listing, view, range }: Props) {
  const location = useLocation();
  const now = today();
  const [monday, sunday] = workingWeek(now);
  const { from, to } = dayFilters(listing);
  const param = (name: string): string | undefined => location.query.get(name) ?? undefined;
  const shown = range ?? { from: param(from), to: param(to) };
  const presets: readonly (readonly [string, DayRange | undefined])[] = [
    ...(view === "week" || view === "month" ? [] : [["Today", { from: now, to: now }] as const]),
    ...(view === "month" ? [] : [["This week", { from: monday, to: sunday }] as const]),
    ...(view === "week" ? [] : [["This month", monthRange(monthOf(now))] as const]),
    ...(view === undefined ? [["All", undefined] as const] : []),
  ];
  return (
    <nav class="choices" aria-label="Date range">
      {presets.map(([label, preset]) => {
        const isNow = shown.from === preset?.from && shown.to === preset?.to;
        const change =
          preset === undefined
            ? { ...rangeParams(listing, { from: "", to: "" }), [from]: undefined, [to]: undefined }
            : rangeParams(listing, preset);
        return (
          <a
            key={label}
            class="button"
            href={hrefWith(change, location)}
            {...(isNow ? { "aria-current": "true" as const } : {})}
          >
            {label}
          </a>
        );
      })}
    </nav>
  );
}
