// Button that opens the dialog to share and save a view, whose code is loaded on first use.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { reloadOnceConnected } from "../../api/live/reload.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import type { ShareProps } from "./share-dialog.tsx";

export function ShareButton(props: Omit<ShareProps, "onClose">) {
  const [shown, setShown] = useState<{ readonly Dialog: ComponentType<ShareProps> }>();
  const [aborter] = useState(() => new AbortController());
  useEffect(() => () => aborter.abort(), []);
  const open = () =>
    void import("./share-dialog.tsx").then(
      (module) => setShown({ Dialog: module.default }),
      () => reloadOnceConnected(aborter.signal),
    );
  useShortcuts([{ keys: "s", description: "share or save this view", run: open }]);
  return (
    <>
      <button type="button" onClick={open} title="Share or save this view (s)">
        Share
      </button>
      {shown !== undefined && <shown.Dialog {...props} onClose={() => setShown(undefined)} />}
    </>
  );
}
