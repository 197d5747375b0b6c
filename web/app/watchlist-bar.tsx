// My tickers in the header bar: the switch, what it restricts the views to, and the dialog to edit them.
import { useRef, useState } from "preact/hooks";
import { useDocument } from "../api/document.ts";
import { canNotify, notifies, setNotifies } from "../api/live/notifications.ts";
import { maxTickers, restrictTo, saveWatchlist, useRestriction, watchlist, watchlistOpen } from "../api/watchlist.ts";
import { tickersOf } from "../format/tickers.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useLocation } from "./location.ts";
import { useShortcuts } from "./shortcuts.ts";
import { useSignal } from "./signal.ts";

/** Without any tickers, it opens the dialog. */
export function WatchlistSwitch() {
  const mine = useSignal(watchlist);
  const restriction = useRestriction();
  const isOn = restriction.length > 0;
  const toggle = () => {
    if (isOn) restrictTo([]);
    else if (mine.length > 0) restrictTo(mine);
    else watchlistOpen.set(true);
  };
  useShortcuts([{ keys: "w", description: "show only my tickers, or all", run: toggle }]);
  return (
    <button
      type="button"
      class="quiet"
      aria-pressed={isOn}
      aria-label="My tickers"
      title={isOn ? "Show all tickers (w)" : "Show only my tickers (w)"}
      onClick={toggle}
    >
      {isOn ? "★" : "☆"}
    </button>
  );
}

const maxShown = 12;

export function WatchlistBar() {
  const mine = useSignal(watchlist);
  const restriction = useRestriction();
  const { path } = useLocation();
  const listing = useDocument()?.listings.find(({ view }) => view === path);
  if (restriction.length === 0 || path === "/operator") return null;
  const isMine = restriction.join() === mine.join();
  const hasTickers = listing === undefined || listing.parameters.some(({ short }) => short === "tickers");
  return (
    <div class="watchlist-bar" role="status">
      <span>
        {isMine ? "Only my tickers" : "Only the tickers in this link"}: {restriction.slice(0, maxShown).join(", ")}
        {restriction.length > maxShown && `, and ${restriction.length - maxShown} more`}.
        {!hasTickers && " These records have no tickers, so all of them are shown."}
      </span>{" "}
      {isMine ? (
        <button type="button" onClick={() => watchlistOpen.set(true)}>
          Edit
        </button>
      ) : (
        <button type="button" onClick={() => saveWatchlist(restriction)}>
          Save as my tickers
        </button>
      )}{" "}
      <button type="button" onClick={() => restrictTo([])}>
        Show all
      </button>
    </div>
  );
}

/** Takes effect at once, since the browser asks the user. */
function NotificationSwitch() {
  const isOn = useSignal(notifies);
  const [isDenied, setDenied] = useState(false);
  const change = async (on: boolean) => {
    const isOnNow = await setNotifies(on);
    setDenied(on && !isOnNow);
  };
  return (
    <>
      <label class="checkbox">
        <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => void change(currentTarget.checked)} />
        Notify me of new records about these companies while this page is in the background
      </label>
      {isDenied && (
        <p class="field-error" role="alert">
          The browser doesn’t allow notifications from this page. You can change that in its site settings.
        </p>
      )}
    </>
  );
}

/** The text can be copied to another browser, and pasted there. */
export function WatchlistDialog() {
  const mine = useSignal(watchlist);
  const text = useRef<HTMLTextAreaElement>(null);
  const [count, setCount] = useState(mine.length);
  const close = () => watchlistOpen.set(false);
  return (
    <Dialog title="My tickers" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const tickers = tickersOf(text.current?.value ?? "");
          if (tickers.length > maxTickers) return setCount(tickers.length);
          saveWatchlist(tickers);
          restrictTo(tickers);
          close();
        }}
      >
        <p>
          The tickers you follow, separated by commas, spaces, or line breaks. They are stored only in this browser;
          copy the text to use them in another one. You can also add a company on its page.
        </p>
        <label class="field" for="watchlist">
          <span>Tickers</span>
          <textarea id="watchlist" ref={text} rows={5} spellcheck={false} defaultValue={mine.join(", ")} />
        </label>
        {count > maxTickers && (
          <p class="field-error" role="alert">
            {count} tickers are too many for one request. Enter at most {maxTickers}.
          </p>
        )}
        {canNotify() && <NotificationSwitch />}
        <p class="dialog-actions">
          <CopyButton text={mine.join(", ")} label="Copy as text" />
          <button type="submit" class="primary">
            Save and show
          </button>
        </p>
      </form>
    </Dialog>
  );
}
