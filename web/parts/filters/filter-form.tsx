// Form with all filters of an endpoint. Changes update the URL immediately.
import { useState } from "preact/hooks";
import type { Parameter } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import { changeQuery, useLocation } from "../../app/location.ts";
import { plural } from "../../format/words.ts";
import { Control, errorFor } from "./control.tsx";
import type { Suggestion } from "./options.tsx";

type Props = {
  readonly filters: readonly Parameter[];
  /** Short names of the filters that are always shown; the others are collapsed. */
  readonly primary: readonly string[];
  readonly suggestions?: Readonly<Record<string, readonly Suggestion[] | undefined>>;
  readonly failure?: Failure | undefined;
  /** Called when the other filters are expanded, so that their suggestions can be loaded. */
  readonly onExpand?: () => void;
};

export function FilterForm({ filters, primary, suggestions = {}, failure, onExpand }: Props) {
  const { query } = useLocation();
  const byOrder = (short: string): number => (primary.includes(short) ? primary.indexOf(short) : primary.length);
  const ordered = filters.toSorted((a, b) => byOrder(a.short) - byOrder(b.short));
  const primaryFilters = ordered.filter(({ short }) => primary.includes(short));
  const otherFilters = ordered.filter(({ short }) => !primary.includes(short));
  const isSet = ({ short }: Parameter): boolean => (query.get(short) ?? "") !== "";
  const setInOthers = otherFilters.filter(isSet).length;
  const hasError = otherFilters.some((each) => errorFor(failure, each) !== undefined);
  const [expanded, setExpanded] = useState(false);
  const [collapsed, setCollapsed] = useState(true);
  const showsOthers = expanded || hasError;
  const control = (parameter: Parameter) => (
    <Control
      key={parameter.name}
      parameter={parameter}
      value={query.get(parameter.short) ?? ""}
      suggestions={suggestions[parameter.short]}
      error={errorFor(failure, parameter)}
      onChange={(value) => changeQuery({ [parameter.short]: value, page: undefined, record: undefined })}
    />
  );
  const set = filters.filter(isSet);
  return (
    <form
      class={`filters${collapsed ? " collapsed" : ""}`}
      aria-label="Filters"
      onSubmit={(event) => event.preventDefault()}
    >
      <button type="button" class="filters-toggle" aria-expanded={!collapsed} onClick={() => setCollapsed(!collapsed)}>
        Filters{set.length === 0 ? "" : ` (${set.length})`}
      </button>
      <div class="filters-fields">
        {primaryFilters.map(control)}
        {showsOthers && otherFilters.map(control)}
        <div class="filters-actions">
          {otherFilters.length > 0 && (
            <button
              type="button"
              class="quiet"
              aria-expanded={showsOthers}
              onClick={() => {
                setExpanded(!expanded);
                onExpand?.();
              }}
            >
              {showsOthers ? "Fewer filters" : plural(otherFilters.length, "more filter")}
              {setInOthers > 0 && !showsOthers ? ` (${setInOthers} set)` : ""}
            </button>
          )}
          {set.length > 0 && <ClearButton filters={set} />}
        </div>
      </div>
    </form>
  );
}

function ClearButton({ filters }: { readonly filters: readonly Parameter[] }) {
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => changeQuery(Object.fromEntries(filters.map(({ short }) => [short, undefined])))}
    >
      Clear filters
    </button>
  );
}
