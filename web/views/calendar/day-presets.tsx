// Shortcuts for common date ranges.
import { today } from "../../api/settings.ts";
import { hrefWith, useLocation } from "../../app/location.ts";
import { addDays, addMonths, monthOf, workingWeek } from "../../format/day.ts";

export function DayPresets() {
  const location = useLocation();
  const now = today();
  const [monday, sunday] = workingWeek(now);
  const month = monthOf(now);
  const presets: readonly (readonly [label: string, from: string | undefined, to: string | undefined])[] = [
    ["Today", now, now],
    ["Week", monday, sunday],
    ["Month", `${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1)],
    ["All", undefined, undefined],
  ];
  const param = (name: string): string | undefined => location.query.get(name) ?? undefined;
  return (
    <nav class="choices" aria-label="Date range">
      {presets.map(([label, from, to]) => {
        const isNow = param("date") === undefined && param("date_from") === from && param("date_to") === to;
        return (
          <a
            key={label}
            class="button"
            href={hrefWith(
              { date: undefined, date_from: from, date_to: to, page: undefined, record: undefined },
              location,
            )}
            {...(isNow ? { "aria-current": "true" as const } : {})}
          >
            {label}
          </a>
        );
      })}
    </nav>
  );
}
