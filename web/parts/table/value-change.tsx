// A value and its previous value.

/** Only the current value if there was none before or it hasn't changed. */
export function ValueChange({ from, to }: { readonly from: string; readonly to: string }) {
  const now = to === "" ? <span class="faint">–</span> : to;
  if (from === "" || from === to) return <>{now}</>;
  return (
    <span class="change" title={`${from} → ${to}`}>
      <span class="from faint">{from}</span>
      <span class="faint" aria-hidden="true">
        →
      </span>
      <span class="hidden">to</span>
      <span class="to">{now}</span>
    </span>
  );
}
