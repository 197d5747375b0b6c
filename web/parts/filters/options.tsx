// Options below a text input, selected by arrow keys, Enter, or a click.
import { useEffect, useState } from "preact/hooks";

/** Values that aren't in the OpenAPI document, such as the names of firms for their IDs. */
export type Suggestion = {
  readonly value: string;
  readonly label: string;
  /** Next to the label: the name of a company, the flag of a country. */
  readonly hint?: string;
  /** Other texts that find it. */
  readonly aliases?: readonly string[];
};

/** Plain text, without case and accents. */
const normalized = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

const maxOptions = 50;

/** Exact matches first, then beginnings, then other parts. */
export function matching(suggestions: readonly Suggestion[], typed: string): Suggestion[] {
  const text = normalized(typed);
  const rankOf = ({ value, label, aliases = [] }: Suggestion): number => {
    const texts = [value, label, ...aliases].map(normalized);
    if (texts.includes(text)) return 0;
    if (texts.some((each) => each.startsWith(text))) return 1;
    return texts.some((each) => each.includes(text)) ? 2 : 3;
  };
  return suggestions
    .map((suggestion, at) => ({ suggestion, rank: rankOf(suggestion), at }))
    .filter(({ rank }) => rank < 3)
    .toSorted((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, maxOptions)
    .map(({ suggestion }) => suggestion);
}

const typingMs = 120;

/** Options for what is typed: from `suggestions`, or from `find` once typing pauses. */
export function useOptions(
  typed: string,
  suggestions: readonly Suggestion[] | undefined,
  find: Find | undefined,
): readonly Suggestion[] {
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  useEffect(() => {
    if (find === undefined) return;
    if (typed.trim() === "") return setFound([]);
    const aborter = new AbortController();
    const timer = setTimeout(() => void find(typed, aborter.signal).then(setFound), typingMs);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [typed]);
  return find === undefined ? matching(suggestions ?? [], typed) : found;
}

export type Find = (text: string, signal: AbortSignal) => Promise<readonly Suggestion[]>;

export type OptionList = {
  /** Index of the highlighted option, -1 for none. */
  readonly active: number;
  /** Handles the arrow keys; returns whether it did. */
  readonly onArrow: (event: KeyboardEvent) => boolean;
  readonly reset: () => void;
};

export function useActiveOption(count: number): OptionList {
  const [active, setActive] = useState(-1);
  return {
    active: Math.min(active, count - 1),
    onArrow: (event) => {
      if (!["ArrowDown", "ArrowUp"].includes(event.key) || count === 0) return false;
      event.preventDefault();
      const by = event.key === "ArrowDown" ? 1 : -1;
      setActive((at) => (Math.min(at, count - 1) + by + count + (at === -1 && by === -1 ? 1 : 0)) % count);
      return true;
    },
    reset: () => setActive(-1),
  };
}

/** Attributes of the input whose options have the ID. */
export const combobox = (id: string, isShown: boolean, active: number): object => ({
  ...{ role: "combobox", "aria-expanded": isShown, "aria-controls": id, "aria-autocomplete": "list" },
  ...(isShown && active >= 0 ? { "aria-activedescendant": `${id}-${active}` } : {}),
});

type Props = {
  readonly id: string;
  readonly label: string;
  readonly options: readonly Suggestion[];
  readonly active: number;
  readonly isSelected: (value: string) => boolean;
  readonly onSelect: (option: Suggestion) => void;
};

export function Options({ id, label, options, active, isSelected, onSelect }: Props) {
  return (
    <div id={id} class="options" role="listbox" aria-label={label}>
      {options.map((option, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input
        <div
          key={option.value}
          id={`${id}-${at}`}
          role="option"
          class={at === active ? "active" : ""}
          aria-selected={isSelected(option.value)}
          ref={(element) => {
            if (at === active) element?.scrollIntoView({ block: "nearest" });
          }}
          // Before the input loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onSelect(option)}
        >
          {option.label} {option.hint !== undefined && <span class="faint">{option.hint}</span>}
        </div>
      ))}
    </div>
  );
}
