// Whether the page is live, next to its name.
import { type LiveState, liveState } from "../api/live/live.ts";
import { useSignal } from "../app/signal.ts";

const texts: Readonly<Record<LiveState, readonly [label: string, about: string]>> = {
  off: ["", ""],
  connecting: ["", ""],
  live: ["Live", "Live: new and changed records appear as they arrive"],
  polling: ["Not live", "Live updates are interrupted. Views are refreshed every 30 seconds. Reconnecting…"],
};

export function LiveStatus() {
  const state = useSignal(liveState);
  const [label, about] = texts[state];
  return (
    <span class={`live ${state}`} role="status" title={about}>
      {label !== "" && (
        <>
          <span aria-hidden="true">{state === "live" ? "●" : "○"}</span>
          <span class="live-label">{label}</span>
        </>
      )}
    </span>
  );
}
