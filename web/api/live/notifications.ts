// Notifications about new records of the watchlist, if the user allows them. One tab sends them for all.
import { readStored, writeStored } from "../../app/local-storage.ts";
import { type Signal, signal } from "../../app/signal.ts";
import { type Item, textOf } from "../../format/item.ts";
import { currentDocument, type Listing, recordText } from "../document.ts";
import { watchlist } from "../watchlist.ts";
import type { Change } from "./changes.ts";
import { changeListeners } from "./live.ts";
import { isNotifying } from "./wanted.ts";

/** Without a lock, every tab would notify. Both exist in secure contexts only. */
export const canNotify = (): boolean => "Notification" in window && navigator.locks !== undefined;

const isAllowed = (): boolean => canNotify() && Notification.permission === "granted";

export const notifies: Signal<boolean> = signal(readStored("notify") === "on" && isAllowed());

/** Asks the user for permission if necessary; returns whether notifications are now on. */
export async function setNotifies(on: boolean): Promise<boolean> {
  const isOn = on && canNotify() && (await Notification.requestPermission()) === "granted";
  writeStored("notify", isOn ? "on" : undefined);
  notifies.set(isOn);
  isNotifying.set(isOn && hasLock);
  return isOn;
}

let hasLock = false;

export function startNotifications(): void {
  if (!canNotify()) return;
  void navigator.locks.request("bellwire-notifications", () => {
    hasLock = true;
    isNotifying.set(notifies.get());
    // Held until the tab is closed.
    return new Promise(() => {});
  });
  changeListeners.add((change) => {
    if (isNotifying.get() && change.action === "created" && !document.hasFocus()) void notify(change);
  });
}

async function notify({ resource, record, id }: Change): Promise<void> {
  const listing = currentDocument()?.listings.find(({ name }) => name === resource);
  const ticker = record === undefined ? undefined : watchedTicker(record);
  if (listing === undefined || record === undefined || ticker === undefined) return;
  const title = `${ticker}: ${listing.display.unit[0]}`;
  const options = {
    body: bodyOf(listing, record),
    icon: "/icon.svg",
    // A newer one about the same company replaces it.
    tag: ticker,
    data: listing.isCalendar
      ? `${listing.view}?tickers=${encodeURIComponent(ticker)}&record=${encodeURIComponent(String(id))}`
      : `${listing.view}/${id}`,
  };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker !== undefined) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    window.location.assign(options.data);
  };
}

const bodyOf = ({ display }: Listing, record: Item): string => textOf(record.title) || recordText(display.text, record);

/** Records have one ticker, news a list. */
function watchedTicker({ ticker, stocks }: Item): string | undefined {
  const names = Array.isArray(stocks) ? stocks.map(({ name }) => textOf(name)) : [textOf(ticker)];
  return names.find((name) => watchlist.get().includes(name));
}
