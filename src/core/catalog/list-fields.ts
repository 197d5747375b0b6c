// Kinds of field that hold several values: lists of small objects, lists of text, and plain objects.

import type { Json, Row } from "../record/row.ts";
import { acceptMembers, type Field, type FieldOptions, field, type Refuse, type Rendering } from "./field.ts";
import { label } from "./scalar-fields.ts";

/** An object kept and answered as it is. */
export function object(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "object",
      example: {},
      empty: {},
      column: "text",
      accept: (value, refuse) => {
        if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
        refuse("an object", value);
        return {};
      },
      fromText: fromJsonText,
      schema: { type: "object", additionalProperties: true },
    },
    options,
  );
}

/** A list of small objects with known members. */
export function list(doc: string, members: Readonly<Record<string, Field>>, options: FieldOptions = {}): Field {
  const entries = Object.entries(members);
  const shown = entries.filter(([, member]) => member.shown === "always");
  const hidden = entries.filter(([, member]) => member.shown !== "always");
  const acceptItem = (item: unknown, refuse: Refuse, at: string): Row => {
    if (typeof item !== "object" || item === null || Array.isArray(item)) {
      refuse("an object", item, at);
      return {};
    }
    return acceptMembers(item as Record<string, unknown>, members, refuse, `${at}.`);
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
      accept: (value, refuse) => {
        if (Array.isArray(value)) return value.map((item, index) => acceptItem(item, refuse, `[${index}]`));
        refuse("a list", value);
        return [];
      },
      fromText: fromJsonText,
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

/** A list of plain texts that records are asked by, such as regions. */
export function labels(doc: string, options: FieldOptions = {}): Field {
  const one = label(doc);
  return field(
    doc,
    {
      kind: "list of text",
      example: ["text"],
      empty: [],
      column: "text",
      accept: (value, refuse) => {
        if (Array.isArray(value)) {
          return value.map((item, index) =>
            one.accept(item, (expected, given) => refuse(expected, given, `[${index}]`)),
          );
        }
        refuse("a list of text", value);
        return [];
      },
      fromText: fromJsonText,
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
