// The whole page: shell, dialogs, and the view that the address names.
import { useEffect, useState } from "preact/hooks";
import { keyAsked } from "../api/key.ts";
import { Frame } from "../parts/frame.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { usePlace } from "./location.ts";
import { matchOf, type View } from "./routes.ts";
import { Shell } from "./shell.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { type Cell, cell, useCell } from "./signal.ts";

const helpAsked: Cell<boolean> = cell(false);

export function App() {
  const help = useCell(helpAsked);
  const key = useCell(keyAsked);
  useShortcuts([{ keys: "?", does: "this help", run: () => helpAsked.set(true) }]);
  return (
    <>
      <Shell onHelp={() => helpAsked.set(true)}>
        <Current />
      </Shell>
      {key && <KeyDialog />}
      {help && <HelpDialog onClose={() => helpAsked.set(false)} />}
    </>
  );
}

/** Views that have been loaded, so that a second visit is drawn at once. */
const loadedViews = new Map<() => Promise<View>, View>();

function Current() {
  const { path } = usePlace();
  const match = matchOf(path);
  const load = match?.route.load;
  const [, redraw] = useState({});
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (load === undefined || loadedViews.has(load)) return;
    setFailed(false);
    load().then(
      (view) => {
        loadedViews.set(load, view);
        redraw({});
      },
      () => setFailed(true),
    );
  }, [load]);
  if (match === undefined || load === undefined) {
    return (
      <Frame title="Nothing here" calls={[]}>
        <p>
          The page has no view at <code>{path}</code>. <a href="/">Today</a> is a good place to begin.
        </p>
      </Frame>
    );
  }
  const View = loadedViews.get(load);
  if (View !== undefined) return <View key={match.route.path} segments={match.segments} />;
  if (!failed) return <p class="loading">Loading…</p>;
  return (
    <div class="notice away" role="alert">
      <strong>This part of the page could not be loaded</strong>
      <p>The server may be away, or it may have been updated.</p>
      <p>
        <button type="button" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </p>
    </div>
  );
}
