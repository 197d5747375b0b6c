// Input for one value or a list of them, shown as removable tokens, with options to select from.
import { useState } from "preact/hooks";
import { combobox, type Find, Options, type Suggestion, useActiveOption, useOptions } from "./options.tsx";

type Props = {
  readonly id: string;
  readonly label: string;
  /** Tokens, separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions?: readonly Suggestion[] | undefined;
  /** Finds options by what is typed, instead of `suggestions`. */
  readonly find?: Find | undefined;
  /** A new token replaces the one before. */
  readonly single?: boolean;
  /** Only options can be selected: what matches none isn't applied. */
  readonly strict?: boolean;
  readonly placeholder?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-describedby"?: string;
};

const tokensOf = (text: string): string[] =>
  text
    .split(",")
    .map((token) => token.trim())
    .filter((token) => token !== "");

export function TokenInput(props: Props) {
  const { id, label, value, onChange, suggestions, find, single, strict, placeholder = "", ...rest } = props;
  const entry = useEntry(props);
  const { typed, tokens, options, list, isOpen, setOpen } = entry;
  const isShown = isOpen && options.length > 0 && (typed !== "" || suggestions !== undefined);
  return (
    <div class="tokens">
      {tokens.map((token) => (
        <Token key={token} text={textOf(token, suggestions)} onRemove={() => entry.remove(token)} />
      ))}
      <input
        {...rest}
        id={id}
        type="text"
        autocomplete="off"
        {...combobox(`${id}-list`, isShown, list.active)}
        value={typed}
        placeholder={tokens.length === 0 ? placeholder : ""}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onInput={({ currentTarget }) => entry.type(currentTarget.value)}
        onKeyDown={(event) => {
          if (list.onArrow(event)) setOpen(true);
          else if (event.key === "Enter") {
            event.preventDefault();
            const active = isShown ? options[list.active] : undefined;
            if (active === undefined) entry.add(typed);
            else entry.apply([active.value]);
          } else if (event.key === "Escape") setOpen(false);
          else if (event.key === "Backspace" && typed === "" && tokens.length > 0) entry.remove(tokens.at(-1) ?? "");
        }}
        onBlur={entry.leave}
      />
      {isShown && (
        <Options
          id={`${id}-list`}
          label={label}
          options={options}
          active={list.active}
          isSelected={(each) => tokens.includes(each)}
          onSelect={({ value: selected }) =>
            tokens.includes(selected) ? entry.remove(selected) : entry.apply([selected])
          }
        />
      )}
      {isOpen && strict && typed.trim() !== "" && options.length === 0 && (
        <div class="options no-match" role="status">
          No match for “{typed.trim()}”
        </div>
      )}
    </div>
  );
}

/** What is typed, its options, and how it becomes tokens. */
function useEntry({ value, onChange, suggestions, find, single, strict }: Props) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const tokens = tokensOf(value);
  const options = useOptions(typed, suggestions, find);
  const list = useActiveOption(options.length);
  const apply = (added: readonly string[]) => {
    setTyped("");
    list.reset();
    // Nothing else can be added, and the options cover the records.
    if (single) setOpen(false);
    const next = (single ? added.slice(-1) : [...new Set([...tokens, ...added])]).join(",");
    if (added.length > 0 && next !== tokens.join(",")) onChange(next);
  };
  /** What was typed: the label of an option stands for its value. */
  const add = (text: string) => {
    const named = suggestions?.find((each) => each.label === text.trim())?.value;
    if (named !== undefined) apply([named]);
    else if (!strict) apply(tokensOf(text));
    else if (text.trim() !== "" && options.length > 0) apply([options[0]?.value ?? ""]);
  };
  const type = (text: string) => {
    list.reset();
    setOpen(true);
    // A pasted label arrives as a whole; a typed token ends with a comma.
    if (text.endsWith(",") || suggestions?.some((each) => each.label === text)) add(text.replace(/,$/, ""));
    else setTyped(text);
  };
  const leave = () => {
    setOpen(false);
    if (strict) setTyped("");
    else add(typed);
  };
  const remove = (token: string) => onChange(tokens.filter((each) => each !== token).join(","));
  return { typed, tokens, options, list, isOpen, setOpen, apply, add, type, leave, remove };
}

function textOf(token: string, suggestions: Props["suggestions"]): string {
  const known = suggestions?.find((each) => each.value === token);
  return known === undefined ? token : `${known.hint === undefined ? "" : `${known.hint} `}${known.label}`;
}

const Token = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => (
  <button type="button" class="token" aria-label={`Remove ${text}`} onClick={onRemove}>
    {text} <span aria-hidden="true">✕</span>
  </button>
);
