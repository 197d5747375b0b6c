// Switch between the table and the month of a calendar.
import { hrefWith, useLocation } from "../../app/location.ts";

/** Retains the filters. */
export function ViewSwitch({ now }: { readonly now: "table" | "month" }) {
  const location = useLocation();
  const link = (view: "table" | "month") => (
    <a
      class="button"
      href={hrefWith({ view: view === "table" ? undefined : view, record: undefined }, location)}
      {...(view === now ? { "aria-current": "true" as const } : {})}
    >
      {view === "table" ? "Table" : "Month view"}
    </a>
  );
  return (
    <nav class="choices" aria-label="Layout">
      {link("table")}
      {link("month")}
    </nav>
  );
}
