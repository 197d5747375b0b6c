// Form control for an API parameter, chosen by its schema.
import { useState } from "preact/hooks";
import { findCompanies } from "../../api/companies.ts";
import type { Parameter, Schema } from "../../api/document.ts";
import type { Failure, FieldError } from "../../api/failure.ts";
import { pageZone, timestampIn } from "../../api/time-zone.ts";
import { countries } from "../../format/countries.ts";
import { momentAt, zoneCity } from "../../format/time-zone.ts";
import { labelOf, wordText } from "../../format/words.ts";
import type { Find, Suggestion } from "./options.tsx";
import { TokenInput } from "./token-input.tsx";

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
  const isList = parameter.schema.items?.enum !== undefined || isScale(parameter.schema);
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
  if (isScale(schema)) return <Scale {...{ label: labelOf(parameter.short), schema, value, onChange }} />;
  if (schema.enum !== undefined) {
    return (
      <select {...shared} value={value} onChange={onInput}>
        <WordOptions parameter={parameter} />
      </select>
    );
  }
  const tokens = { ...shared, label: labelOf(parameter.short), value, onChange };
  if (parameter.short === "country") {
    return <TokenInput {...tokens} suggestions={countrySuggestions()} single strict placeholder="Any country" />;
  }
  if (schema.type === "array" && parameter.short === "tickers") {
    return <TokenInput {...tokens} find={companySuggestions} placeholder="Ticker or company" />;
  }
  if (schema.type === "array") {
    return <TokenInput {...tokens} suggestions={suggestions ?? []} placeholder={placeholderOf(example, suggestions)} />;
  }
  if (schema.format === "date") return <input {...shared} type="date" value={value} onChange={onInput} />;
  if (isTimestamp(parameter)) return <DateTimeInput {...shared} value={value} onChange={onChange} />;
  return (
    <TextInput
      {...shared}
      {...(isNumber(schema) ? { inputMode: "decimal" as const } : {})}
      value={value}
      placeholder={String(example ?? "")}
      onChange={onChange}
    />
  );
}

function WordOptions({ parameter }: Pick<ControlProps, "parameter">) {
  const { short, schema } = parameter;
  const words = schema.enum?.filter((word) => word !== String(schema.default)) ?? [];
  return (
    <>
      <option value="">{unsetText(parameter)}</option>
      {words.map((word) => (
        <option key={word} value={word}>
          {wordText(short, word)}
        </option>
      ))}
    </>
  );
}

/** No example for IDs that are chosen by name. */
const placeholderOf = (example: unknown, suggestions: readonly Suggestion[] = []): string =>
  suggestions.some(({ label, value }) => label !== value) ? "Name" : [example].flat().join(", ");

const unsetText = ({ short, schema }: Parameter): string =>
  schema.default === undefined
    ? /sort$/.test(short)
      ? "Default"
      : "Any"
    : `${wordText(short, String(schema.default))} (default)`;

/** Longer ranges are text inputs. */
const maxLevels = 12;

/** A short range of integers, such as importance, of which the API takes the lowest. */
const isScale = ({ type, enum: words, minimum, maximum }: Schema): boolean =>
  words === undefined &&
  type === "integer" &&
  minimum !== undefined &&
  maximum !== undefined &&
  maximum - minimum < maxLevels;

const countrySuggestions = (): readonly Suggestion[] =>
  countries().map(({ code, short, name, flag }) => ({ value: code, label: name, hint: flag, aliases: [short] }));

const companySuggestions: Find = async (text, signal) =>
  (await findCompanies(text, signal)).map(({ ticker, name }) => ({ value: ticker, label: ticker, hint: name }));

const isNumber = ({ type }: Schema): boolean => type === "integer" || type === "number";

const isTimestamp = ({ schema, doc }: Parameter): boolean => schema.type === "integer" && doc.includes("Unix seconds");

type InputProps = { readonly id: string; readonly value: string; readonly onChange: (value: string) => void };

type ScaleProps = Omit<InputProps, "id"> & { readonly label: string; readonly schema: Schema };

/** Toggles for the lowest level; the one of the minimum would exclude nothing. */
function Scale({ label, schema: { minimum = 0, maximum = 0 }, value, onChange }: ScaleProps) {
  const levels = Array.from({ length: maximum - minimum }, (_, at) => String(minimum + 1 + at));
  return (
    <fieldset class="choices">
      <legend class="hidden">{label}</legend>
      {["", ...levels].map((level) => (
        <button
          key={level}
          type="button"
          aria-pressed={value === level}
          onClick={() => onChange(level)}
          {...(level === "" ? {} : { "aria-label": `${level} or higher`, title: `${level} or higher` })}
        >
          {level === "" ? "Any" : `${level}+`}
        </button>
      ))}
    </fieldset>
  );
}

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
