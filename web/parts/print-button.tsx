// Prints a list with all of its records, which are loaded first: printing can't wait for them.
import { useEffect, useState } from "preact/hooks";
import type { Pages } from "../api/use-pages.ts";
import { whole } from "../format/number.ts";

/** More would take hundreds of pages. */
const maxPrinted = 5000;

export function PrintButton({ pages: { records, done, more } }: { readonly pages: Pages<unknown> }) {
  const [isPrinting, setPrinting] = useState(false);
  const isReady = done || records.length >= maxPrinted;
  useEffect(() => {
    if (!isPrinting) return;
    if (!isReady) return more();
    setPrinting(false);
    window.print();
  }, [isPrinting, isReady, records.length]);
  return (
    <button
      type="button"
      class="columns-only"
      disabled={isPrinting}
      title={`Load all records (up to ${whole(maxPrinted)}) and print them`}
      onClick={() => setPrinting(true)}
    >
      {isPrinting ? `Loading ${whole(records.length)}…` : "Print"}
    </button>
  );
}
