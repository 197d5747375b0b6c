// Days that are wanted most, as one press each.
import { today } from "../../api/settings.ts";
import { hrefWith, usePlace } from "../../app/location.ts";
import { addDays, addMonths, monthOf, workingWeek } from "../../format/day.ts";

export function DayPresets() {
  const place = usePlace();
  const now = today();
  const [monday, sunday] = workingWeek(now);
  const month = monthOf(now);
  const presets: readonly (readonly [label: string, from: string | undefined, to: string | undefined])[] = [
    ["Today", now, now],
    ["Week", monday, sunday],
    ["Month", `${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1)],
    ["All", undefined, undefined],
  ];
  const given = (name: string): string | undefined => place.query.get(name) ?? undefined;
  return (
    <nav class="choices" aria-label="Days">
      {presets.map(([label, from, to]) => {
        const isNow = given("date") === undefined && given("date_from") === from && given("date_to") === to;
        return (
          <a
            key={label}
            class="button"
            href={hrefWith(
              { date: undefined, date_from: from, date_to: to, page: undefined, record: undefined },
              place,
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
