// The forms in which a calendar is shown.
import { hrefWith, usePlace } from "../../app/location.ts";

/** Table or month; the filters stay. */
export function FormSwitch({ now }: { readonly now: "table" | "month" }) {
  const place = usePlace();
  const form = (view: "table" | "month") => (
    <a
      class="button"
      href={hrefWith({ view: view === "table" ? undefined : view, record: undefined }, place)}
      {...(view === now ? { "aria-current": "true" as const } : {})}
    >
      {view === "table" ? "Table" : "Month sheet"}
    </a>
  );
  return (
    <nav class="choices" aria-label="Shown as">
      {form("table")}
      {form("month")}
    </nav>
  );
}
