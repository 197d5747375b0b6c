// What was before and what is now, as one value.

/** One alone when nothing was before or nothing has changed. */
export function Step({ from, to }: { readonly from: string; readonly to: string }) {
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
