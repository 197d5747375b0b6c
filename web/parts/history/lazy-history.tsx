// Loads the history of a record, whose code few visits need.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { HistoryProps } from "./history.tsx";

let loaded: ComponentType<HistoryProps> | undefined;

export function LazyHistory(props: HistoryProps) {
  const [, redraw] = useState({});
  const { history, distribution } = props.listing.display;
  const isNeeded = history !== undefined || distribution !== undefined;
  useEffect(() => {
    if (!isNeeded || loaded !== undefined) return;
    let isWanted = true;
    void import("./history.tsx").then(
      (module) => {
        loaded = module.default;
        if (isWanted) redraw({});
      },
      // The record is complete without it.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, [isNeeded]);
  const Loaded = loaded;
  if (!isNeeded) return null;
  return (
    <div class={history === undefined ? "history-frame" : "history-frame series"}>
      {Loaded !== undefined && <Loaded {...props} />}
    </div>
  );
}
