// A list of values, typed or chosen one by one: what is in it stands before the cursor and can be taken out again.
import { useState } from "preact/hooks";
import type { Suggestion } from "./control.tsx";

type Props = {
  readonly id: string;
  /** Members, separated by commas. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions?: readonly Suggestion[] | undefined;
  readonly placeholder?: string;
  readonly "aria-invalid"?: boolean;
  readonly "aria-describedby"?: string;
};

const membersOf = (text: string): string[] =>
  text
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");

export function TokenInput({ id, value, onChange, suggestions, placeholder = "", ...rest }: Props) {
  const [typed, setTyped] = useState("");
  const members = membersOf(value);
  const labelFor = (member: string): string => suggestions?.find((each) => each.value === member)?.label ?? member;
  const add = (text: string) => {
    setTyped("");
    // A name that is suggested stands for its value.
    const named = suggestions?.find(({ label }) => label === text.trim())?.value ?? text;
    const next = [...new Set([...members, ...membersOf(named)])].join(",");
    if (next !== members.join(",")) onChange(next);
  };
  const remove = (member: string) => onChange(members.filter((each) => each !== member).join(","));
  return (
    <div class="tokens">
      {members.map((member) => (
        <button
          key={member}
          type="button"
          class="token"
          aria-label={`Remove ${labelFor(member)}`}
          onClick={() => remove(member)}
        >
          {labelFor(member)} <span aria-hidden="true">✕</span>
        </button>
      ))}
      <input
        {...rest}
        id={id}
        type="text"
        autocomplete="off"
        value={typed}
        placeholder={members.length === 0 ? placeholder : ""}
        {...(suggestions === undefined ? {} : { list: `${id}-list` })}
        onInput={({ currentTarget }) => {
          const text = currentTarget.value;
          // A choice from the list arrives as a whole; what is typed ends with a comma.
          if (text.endsWith(",") || suggestions?.some(({ label }) => label === text)) add(text);
          else setTyped(text);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add(typed);
          } else if (event.key === "Backspace" && typed === "" && members.length > 0) {
            remove(members.at(-1) ?? "");
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
