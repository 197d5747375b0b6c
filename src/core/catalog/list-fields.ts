// Field types with several values: lists of objects, lists of text, and plain objects.

import type { Json, Row } from "../record/row.ts";
import { toObjects } from "./coercions.ts";
import { type Field, type FieldOptions, field, type Reject, type Rendering, validateMembers } from "./field.ts";
import { label } from "./scalar-fields.ts";

/** Stored and returned unchanged. */
export function object(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "object",
      example: {},
      empty: {},
      column: "text",
      validate: (value, reject) => {
        if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
        reject("an object", value);
        return {};
      },
      fromCsv: fromJsonText,
      schema: { type: "object", additionalProperties: true },
    },
    options,
  );
}

/** A list of objects with known members. */
export function list(doc: string, members: Readonly<Record<string, Field>>, options: FieldOptions = {}): Field {
  const entries = Object.entries(members);
  const shown = entries.filter(([, member]) => member.shown === "always");
  const [required, ...more] = entries.filter(([, member]) => member.required);
  const hidden = entries.filter(([, member]) => member.shown !== "always");
  const validateItem = (item: unknown, reject: Reject, at: string): Row => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) {
      reject("an object", item, at);
      return {};
    }
    return validateMembers(item as Record<string, unknown>, members, reject, `${at}.`);
  };
  const emitItem = (item: Row, rendering: Rendering): Row => {
    const out: Record<string, Json> = {};
    for (const [name, member] of shown) {
      const value = member.emit(item[name] ?? member.empty, rendering);
      if (value !== undefined && !(member.optional && value === member.empty)) out[name] = value;
    }
    return out;
  };
  return field(
    doc,
    {
      kind: "list",
      example: [Object.fromEntries(shown.map(([name, member]) => [name, member.example]))],
      empty: [],
      column: "text",
      members,
      validate: (value, reject) => {
        if (Array.isArray(value)) return value.map((item, index) => validateItem(item, reject, `[${index}]`));
        reject("a list", value);
        return [];
      },
      fromCsv: fromJsonText,
      ...(required === undefined || more.length > 0 ? {} : { coerce: toObjects(required[0]), mainMember: required[0] }),
      emit: (value, rendering) => (value as readonly Row[]).map((item) => emitItem(item, rendering)),
      lossy: (value) => (value as readonly Row[]).some((item) => hidden.some(([name]) => item[name] !== undefined)),
      schema: {
        type: "array",
        items: {
          type: "object",
          properties: Object.fromEntries(
            shown.map(([name, member]) => [name, { ...member.schema, description: member.doc }]),
          ),
          required: shown.filter(([, member]) => !member.optional).map(([name]) => name),
        },
      },
    },
    options,
  );
}

/** A list of text that records are filtered by, such as regions. */
export function labels(doc: string, options: FieldOptions = {}): Field {
  const one = label(doc);
  return field(
    doc,
    {
      kind: "list of text",
      example: ["text"],
      empty: [],
      column: "text",
      validate: (value, reject) => {
        if (Array.isArray(value)) {
          return value.map((item, index) =>
            one.validate(item, (expected, received) => reject(expected, received, `[${index}]`)),
          );
        }
        reject("a list of text", value);
        return [];
      },
      fromCsv: fromJsonText,
      schema: { type: "array", items: { type: "string" } },
    },
    options,
  );
}

function fromJsonText(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
