// All filters of an endpoint as a form. What is set takes effect at once and stands in the address.
import { useState } from "preact/hooks";
import type { Parameter } from "../../api/document.ts";
import type { Failure } from "../../api/failure.ts";
import { changeQuery, usePlace } from "../../app/location.ts";
import { plural } from "../../format/words.ts";
import { Control, mistakeIn, type Suggestion } from "./control.tsx";

type Props = {
  readonly filters: readonly Parameter[];
  /** Short names of the filters that are shown at all times; the others unfold. */
  readonly first: readonly string[];
  readonly suggestions?: Readonly<Record<string, readonly Suggestion[] | undefined>>;
  readonly failure?: Failure | undefined;
  /** Called when the other filters are unfolded: only then is it worth looking up what they can be set to. */
  readonly onUnfold?: () => void;
};

export function FilterForm({ filters, first, suggestions = {}, failure, onUnfold }: Props) {
  const { query } = usePlace();
  const byOrder = (short: string): number => (first.includes(short) ? first.indexOf(short) : first.length);
  const ordered = filters.toSorted((a, b) => byOrder(a.short) - byOrder(b.short));
  const front = ordered.filter(({ short }) => first.includes(short));
  const rest = ordered.filter(({ short }) => !first.includes(short));
  const isSet = ({ short }: Parameter): boolean => (query.get(short) ?? "") !== "";
  const setInRest = rest.filter(isSet).length;
  const isWrong = rest.some((each) => mistakeIn(failure, each) !== undefined);
  const [unfolded, setUnfolded] = useState(false);
  const [folded, setFolded] = useState(true);
  const showsRest = unfolded || isWrong;
  const control = (parameter: Parameter) => (
    <Control
      key={parameter.name}
      parameter={parameter}
      value={query.get(parameter.short) ?? ""}
      suggestions={suggestions[parameter.short]}
      mistake={mistakeIn(failure, parameter)}
      onChange={(value) => changeQuery({ [parameter.short]: value, page: undefined, record: undefined })}
    />
  );
  const set = filters.filter(isSet);
  return (
    <form class={`filters${folded ? " folded" : ""}`} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <button type="button" class="filters-fold" aria-expanded={!folded} onClick={() => setFolded(!folded)}>
        Filters{set.length === 0 ? "" : ` (${set.length})`}
      </button>
      <div class="filters-fields">
        {front.map(control)}
        {showsRest && rest.map(control)}
        <div class="filters-actions">
          {rest.length > 0 && (
            <button
              type="button"
              class="quiet"
              aria-expanded={showsRest}
              onClick={() => {
                setUnfolded(!unfolded);
                onUnfold?.();
              }}
            >
              {showsRest ? "Fewer filters" : plural(rest.length, "more filter")}
              {setInRest > 0 && !showsRest ? ` (${setInRest} set)` : ""}
            </button>
          )}
          {set.length > 0 && (
            <button
              type="button"
              class="quiet"
              onClick={() => changeQuery(Object.fromEntries(set.map(({ short }) => [short, undefined])))}
            >
              Clear
            </button>
          )}
        </div>
      </div>
    </form>
  );
}
