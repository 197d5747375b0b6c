// A value and its previous value.

/** Only the current value if there was none before or it hasn't changed. */
export function ValueChange({ from, to }: { readonly from: string; readonly to: string }) {
  const now = to === "" ? <span class="faint">–</span> : to;
  if (from === "" || from === to) return <>{now}</>;
  return (
    <>
      <span class="faint">
        {from} <span aria-hidden="true">→</span>
        <span class="hidden">to</span>
      </span>{" "}
      {now}
    </>
  );
}
