// API keys with their terms and actions.
import { useState } from "preact/hooks";
import { timestampText } from "../../api/time-zone.ts";
import { changeQuery, useLocation } from "../../app/location.ts";
import { agoOf } from "../../format/amount.ts";
import { dayText } from "../../format/day.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Key } from "./administration.ts";
import { type KeyAction, KeyActionDialog } from "./key-dialogs.tsx";

type Props = {
  readonly source: DataSource;
  readonly keys: readonly Key[];
  /** Server time, ISO 8601, once known. */
  readonly now: string | undefined;
  readonly onChanged: () => void;
};

export function KeysSection({ source, keys, now, onChanged }: Props) {
  const { query } = useLocation();
  const [action, setAction] = useState<KeyAction>();
  const showsAll = query.get("revoked") === "1";
  const revoked = keys.filter(({ state }) => state === "revoked").length;
  const shown = keys.filter(({ state }) => showsAll || state !== "revoked").toReversed();
  return (
    <Section
      name="keys-of-server"
      title="API keys"
      source={source}
      about={source.result.response === undefined ? "" : plural(keys.length - revoked, "key")}
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
          <button type="button" class="primary" onClick={() => setAction({ kind: "create" })}>
            New key
          </button>
        </>
      }
    >
      <Table
        caption="API keys and their terms"
        columns={columnsOf(setAction, now)}
        rows={shown}
        idOf={({ name, created, state }) => `${name} ${created} ${state}`}
      />
      {action !== undefined && (
        <KeyActionDialog action={action} onDone={onChanged} onClose={() => setAction(undefined)} />
      )}
    </Section>
  );
}

function columnsOf(start: (action: KeyAction) => void, now: string | undefined): Column<Key>[] {
  return [
    { name: "name", label: "Name", width: 12, grow: true, show: ({ name }) => <strong title={name}>{name}</strong> },
    { name: "owner", label: "Owner", width: 8, grow: true, show: ({ owner }) => owner },
    {
      name: "state",
      ...{ label: "State", width: 8, grow: true },
      show: ({ state, revoked }) => (state === "retiring" ? `retiring, valid until ${timestampText(revoked)}` : state),
      tone: ({ state }) => (state === "valid" ? "up" : state === "retiring" ? undefined : "down"),
    },
    { name: "scopes", label: "Scopes", width: 12, grow: true, show: ({ scopes }) => scopes.join(", ") },
    {
      name: "sees",
      ...{ label: "Access", width: 12, grow: true },
      doc: "Resources, history, and delay",
      show: (key) => seesText(key),
    },
    {
      ...{ name: "limits", label: "Limits", width: 10, grow: true },
      doc: "Requests per second, and per day or month",
      show: limitsText,
    },
    { name: "expires", label: "Expires", width: 11, show: ({ expires }) => (expires === "" ? "" : dayText(expires)) },
    { name: "last_used", label: "Last used", width: 9, show: ({ last_used }) => usedText(last_used, now) },
    { name: "actions", label: "Actions", width: 22, show: (key) => <KeyActions apiKey={key} start={start} /> },
  ];
}

function seesText({ resources, history, delay_minutes }: Key): string {
  return [
    resources.length === 0 ? "all" : resources.join(", "),
    ...(history === "" ? [] : [/^\d+d$/.test(history) ? `last ${history.slice(0, -1)} days` : `from ${history}`]),
    ...(delay_minutes > 0 ? [`${delay_minutes} min delay`] : []),
  ].join("; ");
}

function limitsText({ rate, burst, quota, quota_per }: Key): string {
  const parts = [
    ...(rate > 0 ? [`${rate}/s${burst > 0 ? `, burst ${whole(burst)}` : ""}`] : []),
    ...(quota > 0 ? [`${whole(quota)} per ${quota_per}`] : []),
  ];
  return parts.length === 0 ? "none" : parts.join("; ");
}

function usedText(lastUsed: string, now: string | undefined) {
  if (lastUsed === "") return <span class="faint">never</span>;
  return (
    <span title={timestampText(lastUsed)}>{now === undefined ? timestampText(lastUsed) : agoOf(lastUsed, now)}</span>
  );
}

/** None for keys that have been rotated out or revoked. */
function KeyActions({ apiKey, start }: { readonly apiKey: Key; readonly start: (action: KeyAction) => void }) {
  const { name, state } = apiKey;
  if (state === "retiring" || state === "revoked") return null;
  const button = (kind: "edit" | "rotate" | "revoke", text: string) => (
    <button type="button" aria-label={`${text} ${name}`} onClick={() => start({ kind, apiKey })}>
      {text}
    </button>
  );
  return (
    <span class="key-actions">
      {button("edit", "Edit")}
      {state === "valid" && button("rotate", "Rotate")}
      {button("revoke", "Revoke")}
    </span>
  );
}
