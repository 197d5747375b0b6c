// Dialog to choose the columns of a calendar; they are in the URL.
import { useState } from "preact/hooks";
import type { Listing } from "../../../api/document.ts";
import { changeQuery, useLocation } from "../../../app/location.ts";
import { columnsNamed } from "../../../parts/columns/columns.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import type { Column } from "../../../parts/table/column.tsx";
import { allColumns, columnsOf } from "./columns.ts";

export function ColumnPicker({ listing }: { readonly listing: Listing }) {
  const [isOpen, setOpen] = useState(false);
  const { query } = useLocation();
  return (
    <>
      <button
        type="button"
        class="columns-only"
        aria-pressed={query.has("columns")}
        onClick={() => setOpen(true)}
        title="Choose the columns"
      >
        Columns
      </button>
      {isOpen && <ColumnDialog listing={listing} onClose={() => setOpen(false)} />}
    </>
  );
}

/** With its name if another column has the same label. */
const labelAmong = (all: readonly Column[], name: string, label: string): string =>
  all.find((each) => each.label === label)?.name === name ? label : `${label} (${name})`;

const select = (columns: string | undefined): void => changeQuery({ columns }, { replace: true });

function ColumnDialog({ listing, onClose }: { readonly listing: Listing; readonly onClose: () => void }) {
  const { query } = useLocation();
  const { display } = listing;
  const all = columnsNamed(listing, allColumns(listing));
  const names = all.map(({ name }) => name);
  const shown = columnsOf(listing, query).map(({ name }) => name);
  const toggle = (name: string) => {
    const next = names.filter((each) => (each === name ? !shown.includes(name) : shown.includes(each)));
    const isDefault = next.join() === names.filter((each) => display.columns.includes(each)).join();
    if (next.length > 0) select(isDefault ? undefined : next.length === names.length ? "all" : next.join(","));
  };
  return (
    <Dialog title="Columns" onClose={onClose} wide>
      <fieldset class="column-list">
        <legend class="hidden">Columns</legend>
        {all.map(({ name, label }) => (
          <label key={name}>
            <input type="checkbox" checked={shown.includes(name)} onChange={() => toggle(name)} />{" "}
            {labelAmong(all, name, label)}
          </label>
        ))}
      </fieldset>
      <p class="faint">By default, the least important columns are hidden where not all of them fit.</p>
      <p class="dialog-actions">
        <button type="button" onClick={() => select("all")}>
          All
        </button>
        <button type="button" onClick={() => select(undefined)}>
          Default
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </p>
    </Dialog>
  );
}
