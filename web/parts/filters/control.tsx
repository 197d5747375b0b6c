// One parameter of the API as a control: which one is read from its schema.
import { useState } from "preact/hooks";
import type { Parameter, Schema } from "../../api/document.ts";
import type { Failure, Mistake } from "../../api/failure.ts";
import { labelOf } from "../../format/words.ts";
import { TokenInput } from "./token-input.tsx";

/** Values to choose from that are not in the document, such as names of firms for their identifiers. */
export type Suggestion = { readonly value: string; readonly label: string };

export type ControlProps = {
  readonly parameter: Parameter;
  /** As in the address; empty when not given. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly suggestions?: readonly Suggestion[] | undefined;
  readonly mistake?: Mistake | undefined;
};

/** The mistake that an answer found in a parameter. */
export const mistakeIn = (failure: Failure | undefined, { name }: Parameter): Mistake | undefined =>
  failure?.errors.find(({ parameter }) => parameter === name);

export function Control(props: ControlProps) {
  const { parameter, mistake } = props;
  const id = `filter-${parameter.short}`;
  const isList = parameter.schema.items?.enum !== undefined;
  return (
    <div class={`field${mistake === undefined ? "" : " wrong"}`} title={parameter.doc}>
      {isList ? (
        <span class="field-label">{labelOf(parameter.short)}</span>
      ) : (
        <label for={id}>{labelOf(parameter.short)}</label>
      )}
      <Widget {...props} id={id} />
      {mistake !== undefined && (
        <span class="mistake" id={`${id}-mistake`} role="alert">
          expected {mistake.expected}
        </span>
      )}
    </div>
  );
}

/** Lists up to this length are drawn as a choice. */
const mostChoices = 12;

function Widget({ parameter, value, onChange, suggestions, mistake, id }: ControlProps & { readonly id: string }) {
  const { schema, example } = parameter;
  const shared = {
    id,
    ...(mistake === undefined ? {} : { "aria-invalid": true, "aria-describedby": `${id}-mistake` }),
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
      <Boxes
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
              {schema.enum === undefined ? `${word} and above` : word}
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
  if (isMoment(parameter)) return <Moment {...shared} value={value} onChange={onChange} />;
  const isNumber = schema.type === "integer" || schema.type === "number";
  return (
    <TypedText
      {...shared}
      {...(isNumber ? { inputMode: "decimal" as const } : {})}
      value={value}
      placeholder={String(example ?? "")}
      onChange={onChange}
    />
  );
}

/** Identifiers that are chosen by name are not shown as an example. */
const placeholderOf = (example: unknown, suggestions: readonly Suggestion[] = []): string =>
  suggestions.some(({ label, value }) => label !== value) ? "name" : [example].flat().join(",");

const unsetText = ({ short, schema }: Parameter): string =>
  schema.default === undefined ? (/sort$/.test(short) ? "default" : "any") : `${schema.default} (default)`;

/** The values of a word or of a short scale. */
function choicesOf({ type, enum: words, minimum, maximum }: Schema): readonly string[] | undefined {
  if (words !== undefined) return words;
  if (type !== "integer" || minimum === undefined || maximum === undefined || maximum - minimum >= mostChoices)
    return undefined;
  return Array.from({ length: maximum - minimum + 1 }, (_, at) => String(minimum + at));
}

const isMoment = ({ schema, doc }: Parameter): boolean => schema.type === "integer" && doc.includes("Unix seconds");

type Plain = { readonly id: string; readonly value: string; readonly onChange: (value: string) => void };

type TypedProps = Plain & { readonly placeholder: string; readonly inputMode?: "decimal" };

/** A text takes effect when the field is left. Until then it is kept here, so that drawing anew leaves what is typed. */
function TypedText({ value, onChange, ...rest }: TypedProps) {
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

/** Unix seconds as a date and time of UTC. */
function Moment({ value, onChange, ...rest }: Plain) {
  const seconds = Number(value);
  const text = value === "" || !Number.isFinite(seconds) ? "" : new Date(seconds * 1000).toISOString().slice(0, 16);
  return (
    <input
      {...rest}
      type="datetime-local"
      title="UTC"
      value={text}
      onChange={({ currentTarget }) => {
        const moment = Date.parse(`${currentTarget.value}Z`);
        onChange(Number.isNaN(moment) ? "" : String(moment / 1000));
      }}
    />
  );
}

type BoxesProps = Plain & {
  readonly label: string;
  readonly words: readonly string[];
  /** What holds while none is chosen. */
  readonly unset: string;
};

/** Any of a set of words. */
function Boxes({ label, words, unset, value, onChange }: BoxesProps) {
  const chosen = new Set(value.split(",").filter((word) => word !== ""));
  const toggle = (word: string) => {
    const next = chosen.has(word) ? [...chosen].filter((each) => each !== word) : [...chosen, word];
    onChange(next.join(","));
  };
  return (
    <details class="boxes">
      <summary>{chosen.size === 0 ? unset : [...chosen].join(", ")}</summary>
      <fieldset>
        <legend class="hidden">{label}</legend>
        {words.map((word) => (
          <label key={word}>
            <input type="checkbox" checked={chosen.has(word)} onChange={() => toggle(word)} />{" "}
            {word === "*" ? "all (*)" : word}
          </label>
        ))}
      </fieldset>
    </details>
  );
}
