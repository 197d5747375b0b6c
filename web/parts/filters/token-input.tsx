// Input for a list of values, shown as removable tokens.
import { useState } from "preact/hooks";
import type { Suggestion } from "./control.tsx";

type Props = {
  readonly id: string;
  /** Tokens, separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions?: readonly Suggestion[] | undefined;
  readonly placeholder?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-describedby"?: string;
};

const tokensOf = (text: string): string[] =>
  text
    .split(",")
    .map((token) => token.trim())
    .filter((token) => token !== "");

export function TokenInput({ id, value, onChange, suggestions, placeholder = "", ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const tokens = tokensOf(value);
  const labelFor = (token: string): string => suggestions?.find((each) => each.value === token)?.label ?? token;
  const add = (text: string) => {
    setTyped("");
    // The label of a suggestion is replaced with its value.
    const named = suggestions?.find(({ label }) => label === text.trim())?.value ?? text;
    const next = [...new Set([...tokens, ...tokensOf(named)])].join(",");
    if (next !== tokens.join(",")) onChange(next);
  };
  const remove = (token: string) => onChange(tokens.filter((each) => each !== token).join(","));
  return (
    <div class="tokens">
      {tokens.map((token) => (
        <button
          key={token}
          type="button"
          class="token"
          aria-label={`Remove ${labelFor(token)}`}
          onClick={() => remove(token)}
        >
          {labelFor(token)} <span aria-hidden="true">✕</span>
        </button>
      ))}
      <input
        {...rest}
        id={id}
        type="text"
        autocomplete="off"
        value={typed}
        placeholder={tokens.length === 0 ? placeholder : ""}
        {...(suggestions === undefined ? {} : { list: `${id}-list` })}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value;
          // A choice from the list arrives as a whole; a typed token ends with a comma.
          if (text.endsWith(",") || suggestions?.some(({ label }) => label === text)) add(text);
          else setTyped(text);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add(typed);
          } else if (event.key === "Backspace" && typed === "" && tokens.length > 0) {
            remove(tokens.at(-1) ?? "");
          }
        }}
        onBlur={() => add(typed)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each.value} value={each.label} />
          ))}
        </datalist>
      )}
    </div>
  );
}
