// Form control for an API parameter, chosen by its schema.
import { useState } from "preact/hooks";
import type { Parameter, Schema } from "../../api/document.ts";
import type { Failure, FieldError } from "../../api/failure.ts";
import { pageZone, timestampIn } from "../../api/time-zone.ts";
import { momentAt, zoneCity } from "../../format/time-zone.ts";
import { labelOf } from "../../format/words.ts";
import { TokenInput } from "./token-input.tsx";

/** Values that aren't in the OpenAPI document, such as the names of firms for their IDs. */
export type Suggestion = { readonly value: string; readonly label: string };

export type ControlProps = {
  readonly parameter: Parameter;
  /** As in the URL; empty if not set. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions?: readonly Suggestion[] | undefined;
  readonly error?: FieldError | undefined;
};

export const errorFor = (failure: Failure | undefined, { name }: Parameter): FieldError | undefined =>
  failure?.errors.find(({ parameter }) => parameter === name);

export function Control(props: ControlProps) {
  const { parameter, error } = props;
  const id = `filter-${parameter.short}`;
  const isList = parameter.schema.items?.enum !== undefined;
  return (
    <div class={`field${error === undefined ? "" : " invalid"}`} title={parameter.doc}>
      {isList ? (
        <span class="field-label">{labelOf(parameter.short)}</span>
      ) : (
        <label for={id}>{labelOf(parameter.short)}</label>
      )}
      <Input {...props} id={id} />
      {error !== undefined && (
        <span class="field-error" id={`${id}-error`} role="alert">
          expected {error.expected}
        </span>
      )}
    </div>
  );
}

/** Longer scales are text inputs. */
const maxChoices = 12;

function Input({ parameter, value, onChange, suggestions, error, id }: ControlProps & { readonly id: string }) {
  const { schema, example } = parameter;
  const shared = {
    id,
    ...(error === undefined ? {} : { "aria-invalid": true, "aria-describedby": `${id}-error` }),
  } as const;
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    onChange(event.currentTarget.value);
  if (schema.type === "boolean") {
    return (
      <input
        {...shared}
        type="checkbox"
        checked={value === "true" || value === "1"}
        onChange={(event) => onChange(event.currentTarget.checked ? "true" : "")}
      />
    );
  }
  if (schema.items?.enum !== undefined) {
    return (
      <CheckboxList
        id={id}
        label={labelOf(parameter.short)}
        words={schema.items.enum}
        unset={schema.default === undefined ? "default" : String(schema.default)}
        value={value}
        onChange={onChange}
      />
    );
  }
  const words = choicesOf(schema);
  if (words !== undefined) {
    return (
      <select {...shared} value={value} onChange={onInput}>
        <option value="">{unsetText(parameter)}</option>
        {words
          .filter((word) => word !== String(schema.default))
          .map((word) => (
            <option key={word} value={word}>
              {schema.enum === undefined ? `${word} or higher` : word}
            </option>
          ))}
      </select>
    );
  }
  if (schema.type === "array") {
    return (
      <TokenInput
        {...shared}
        value={value}
        onChange={onChange}
        suggestions={suggestions}
        placeholder={placeholderOf(example, suggestions)}
      />
    );
  }
  if (schema.format === "date") return <input {...shared} type="date" value={value} onChange={onInput} />;
  if (isTimestamp(parameter)) return <DateTimeInput {...shared} value={value} onChange={onChange} />;
  const isNumber = schema.type === "integer" || schema.type === "number";
  return (
    <TextInput
      {...shared}
      {...(isNumber ? { inputMode: "decimal" as const } : {})}
      value={value}
      placeholder={String(example ?? "")}
      onChange={onChange}
    />
  );
}

/** No example for IDs that are chosen by name. */
const placeholderOf = (example: unknown, suggestions: readonly Suggestion[] = []): string =>
  suggestions.some(({ label, value }) => label !== value) ? "name" : [example].flat().join(",");

const unsetText = ({ short, schema }: Parameter): string =>
  schema.default === undefined ? (/sort$/.test(short) ? "default" : "any") : `${schema.default} (default)`;

/** The values of an enum or of a short integer range. */
function choicesOf({ type, enum: words, minimum, maximum }: Schema): readonly string[] | undefined {
  if (words !== undefined) return words;
  if (type !== "integer" || minimum === undefined || maximum === undefined || maximum - minimum >= maxChoices)
    return undefined;
  return Array.from({ length: maximum - minimum + 1 }, (_, at) => String(minimum + at));
}

const isTimestamp = ({ schema, doc }: Parameter): boolean => schema.type === "integer" && doc.includes("Unix seconds");

type InputProps = { readonly id: string; readonly value: string; readonly onChange: (value: string) => void };

type TextInputProps = InputProps & { readonly placeholder: string; readonly inputMode?: "decimal" };

/** Takes effect on blur. Until then, the draft survives rerenders. */
function TextInput({ value, onChange, ...rest }: TextInputProps) {
  const [draft, setDraft] = useState<string>();
  return (
    <input
      {...rest}
      type="text"
      value={draft ?? value}
      onInput={({ currentTarget }) => setDraft(currentTarget.value)}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onBlur={() => setDraft(undefined)}
    />
  );
}

/** Unix seconds as date and time in the page's time zone. */
function DateTimeInput({ value, onChange, ...rest }: InputProps) {
  const seconds = Number(value);
  const { day, clock } = timestampIn(value === "" ? "" : seconds);
  return (
    <input
      {...rest}
      type="datetime-local"
      title={`Time zone: ${zoneCity(pageZone())}`}
      value={day === "" ? "" : `${day}T${clock}`}
      onChange={({ currentTarget }) => {
        const [date = "", time = ""] = currentTarget.value.split("T");
        const moment = momentAt({ day: date, clock: time.slice(0, 5) }, pageZone());
        onChange(Number.isNaN(moment) ? "" : String(moment / 1000));
      }}
    />
  );
}

type CheckboxListProps = InputProps & {
  readonly label: string;
  readonly words: readonly string[];
  /** Shown if none is selected. */
  readonly unset: string;
};

function CheckboxList({ label, words, unset, value, onChange }: CheckboxListProps) {
  const selected = new Set(value.split(",").filter((word) => word !== ""));
  const toggle = (word: string) => {
    const next = selected.has(word) ? [...selected].filter((each) => each !== word) : [...selected, word];
    onChange(next.join(","));
  };
  return (
    <details class="boxes">
      <summary>{selected.size === 0 ? unset : [...selected].join(", ")}</summary>
      <fieldset>
        <legend class="hidden">{label}</legend>
        {words.map((word) => (
          <label key={word}>
            <input type="checkbox" checked={selected.has(word)} onChange={() => toggle(word)} />{" "}
            {word === "*" ? "all (*)" : word}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
