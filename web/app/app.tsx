// Root component: shell, dialogs, and the current view.
import { useEffect, useState } from "preact/hooks";
import { keyDialogOpen } from "../api/key.ts";
import { reloadOnceConnected } from "../api/live/reload.ts";
import { watchlistOpen } from "../api/watchlist.ts";
import { Frame } from "../parts/frame.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { useLocation } from "./location.ts";
import { matchRoute, type View } from "./routes.ts";
import { Shell } from "./shell.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { type Signal, signal, useSignal } from "./signal.ts";
import { WatchlistDialog } from "./watchlist-bar.tsx";

const helpOpen: Signal<boolean> = signal(false);

export function App() {
  const help = useSignal(helpOpen);
  const key = useSignal(keyDialogOpen);
  const editsWatchlist = useSignal(watchlistOpen);
  useShortcuts([{ keys: "?", description: "show keyboard shortcuts", run: () => helpOpen.set(true) }]);
  return (
    <>
      <Shell onHelp={() => helpOpen.set(true)}>
        <CurrentView />
      </Shell>
      {key && <KeyDialog />}
      {editsWatchlist && <WatchlistDialog />}
      {help && <HelpDialog onClose={() => helpOpen.set(false)} />}
    </>
  );
}

/** Loaded views, which render without delay the next time. */
const loadedViews = new Map<() => Promise<View>, View>();

/** False if the page was just reloaded and shows nothing yet: it would reload forever if the server has no such file. */
const mayReload = (): boolean => {
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return loadedViews.size > 0 || navigation?.type !== "reload";
};

function CurrentView() {
  const { path } = useLocation();
  const match = matchRoute(path);
  const load = match?.route.load;
  const [, redraw] = useState({});
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (load === undefined || loadedViews.has(load)) return;
    setFailed(false);
    const aborter = new AbortController();
    load().then(
      (view) => {
        loadedViews.set(load, view);
        redraw({});
      },
      () => {
        if (aborter.signal.aborted) return;
        setFailed(true);
        if (mayReload()) void reloadOnceConnected(aborter.signal);
      },
    );
    return () => aborter.abort();
  }, [load]);
  if (match === undefined || load === undefined) {
    return (
      <Frame title="Page not found" calls={[]}>
        <p>
          There is no page at <code>{path}</code>. Go to <a href="/">Today</a>.
        </p>
      </Frame>
    );
  }
  const View = loadedViews.get(load);
  if (View !== undefined) return <View key={match.route.path} segments={match.segments} />;
  if (!failed) return <p class="loading">Loading…</p>;
  return (
    <div class="notice unavailable" role="alert">
      <strong>Failed to load this view</strong>
      <p>The server may be unavailable, or it may have been updated.</p>
      <p>
        <button type="button" onClick={() => window.location.reload()}>
          Reload page
        </button>
      </p>
    </div>
  );
}
