// Switch between the layouts of a calendar.
import { hrefWith, useLocation } from "../../app/location.ts";

const layouts = { agenda: "Agenda", week: "Week", month: "Month", table: "Table" } as const;

export type Layout = keyof typeof layouts;

/** Retains the filters. */
export function ViewSwitch({ now }: { readonly now: Layout }) {
  const location = useLocation();
  return (
    <nav class="choices" aria-label="Layout">
      {Object.entries(layouts).map(([layout, label]) => (
        <a
          key={layout}
          class="button"
          href={hrefWith(
            { view: layout === "table" ? undefined : layout, record: undefined, page: undefined, by: undefined },
            location,
          )}
          {...(layout === now ? { "aria-current": "true" as const } : {})}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
