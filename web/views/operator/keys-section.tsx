// All keys with their terms, and what can be done with them.
import { useState } from "preact/hooks";
import { changeQuery, usePlace } from "../../app/location.ts";
import { agoOf } from "../../format/amount.ts";
import { dayText } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Key } from "./administration.ts";
import { type KeyAct, KeyActDialog } from "./key-acts.tsx";

type Props = {
  readonly part: Part;
  readonly keys: readonly Key[];
  /** The clock of the server, ISO 8601, once it is known. */
  readonly now: string | undefined;
  readonly onChanged: () => void;
};

export function KeysSection({ part, keys, now, onChanged }: Props) {
  const { query } = usePlace();
  const [act, setAct] = useState<KeyAct>();
  const showsAll = query.get("revoked") === "1";
  const revoked = keys.filter(({ state }) => state === "revoked").length;
  const shown = keys.filter(({ state }) => showsAll || state !== "revoked").toReversed();
  return (
    <Section
      name="keys-of-server"
      title="Keys"
      part={part}
      about={part.asked.answer === undefined ? "" : plural(keys.length - revoked, "key")}
      actions={
        <>
          {revoked > 0 && (
            <button
              type="button"
              aria-pressed={showsAll}
              onClick={() => changeQuery({ revoked: showsAll ? undefined : "1" }, { replace: true })}
            >
              {revoked} revoked
            </button>
          )}
          <button type="button" class="primary" onClick={() => setAct({ kind: "make" })}>
            New key
          </button>
        </>
      }
    >
      <Table
        caption="All keys with their terms"
        columns={columnsOf(setAct, now)}
        rows={shown}
        idOf={({ name, created, state }) => `${name} ${created} ${state}`}
      />
      {act !== undefined && <KeyActDialog act={act} onDone={onChanged} onClose={() => setAct(undefined)} />}
    </Section>
  );
}

function columnsOf(start: (act: KeyAct) => void, now: string | undefined): Column<Key>[] {
  return [
    { name: "name", label: "Name", most: 22, show: ({ name }) => <strong title={name}>{name}</strong> },
    { name: "owner", label: "Owner", most: 20, show: ({ owner }) => owner },
    {
      name: "state",
      label: "State",
      show: ({ state, revoked }) => (state === "retiring" ? `retiring, good until ${momentOf(revoked)}` : state),
      tone: ({ state }) => (state === "valid" ? "up" : state === "retiring" ? undefined : "down"),
    },
    { name: "scopes", label: "May", show: ({ scopes }) => scopes.join(", ") },
    {
      name: "sees",
      label: "Sees",
      most: 34,
      doc: "Resources, how far back, and how late",
      show: (key) => seesText(key),
    },
    { name: "limits", label: "Limits", doc: "Requests a second, and in a day or a month", show: limitsText },
    { name: "expires", label: "Expires", show: ({ expires }) => (expires === "" ? "" : dayText(expires)) },
    { name: "last_used", label: "Last used", show: ({ last_used }) => usedText(last_used, now) },
    { name: "acts", label: "Change, replace, revoke", show: (key) => <Acts held={key} start={start} /> },
  ];
}

const momentOf = (iso: string): string => iso.replace("T", " ").replace(/:\d\dZ$/, " UTC");

function seesText({ resources, history, delay_minutes }: Key): string {
  return [
    resources.length === 0 ? "all" : resources.join(", "),
    ...(history === "" ? [] : [/^\d+d$/.test(history) ? `last ${history.slice(0, -1)} days` : `from ${history}`]),
    ...(delay_minutes > 0 ? [`${delay_minutes} min late`] : []),
  ].join("; ");
}

function limitsText({ rate, burst, quota, quota_per }: Key): string {
  const parts = [
    ...(rate > 0 ? [`${rate}/s${burst > 0 ? `, ${whole(burst)} at once` : ""}`] : []),
    ...(quota > 0 ? [`${whole(quota)} a ${quota_per}`] : []),
  ];
  return parts.length === 0 ? "none" : parts.join("; ");
}

function usedText(lastUsed: string, now: string | undefined) {
  if (lastUsed === "") return <span class="faint">never</span>;
  return <span title={momentOf(lastUsed)}>{now === undefined ? momentOf(lastUsed) : agoOf(lastUsed, now)}</span>;
}

/** A key that was replaced ends by itself; one that was revoked has ended. */
function Acts({ held, start }: { readonly held: Key; readonly start: (act: KeyAct) => void }) {
  const { name, state } = held;
  if (state === "retiring" || state === "revoked") return null;
  const button = (kind: "change" | "replace" | "revoke", text: string) => (
    <button type="button" aria-label={`${text} ${name}`} onClick={() => start({ kind, held })}>
      {text}
    </button>
  );
  return (
    <span class="acts">
      {button("change", "Change")}
      {state === "valid" && button("replace", "Replace")}
      {button("revoke", "Revoke")}
    </span>
  );
}
