// Saved views: names for URLs of the page, in this browser.
import { readStored, writeStored } from "../../app/local-storage.ts";
import { type Signal, signal } from "../../app/signal.ts";

export type SavedView = { readonly name: string; readonly href: string };

function stored(): readonly SavedView[] {
  try {
    const read = JSON.parse(readStored("views") ?? "[]") as readonly SavedView[];
    // Only paths of this page.
    return read.filter(({ name, href }) => typeof name === "string" && /^\/(?!\/)/.test(href));
  } catch {
    return [];
  }
}

export const savedViews: Signal<readonly SavedView[]> = signal<readonly SavedView[]>(stored());

function save(views: readonly SavedView[]): void {
  writeStored("views", views.length === 0 ? undefined : JSON.stringify(views));
  savedViews.set(views);
}

/** Replaces a view with the same name. */
export const saveView = (view: SavedView): void =>
  save(
    [...savedViews.get().filter(({ name }) => name !== view.name), view].toSorted((a, b) =>
      a.name.localeCompare(b.name),
    ),
  );

export const removeView = (name: string): void => save(savedViews.get().filter((each) => each.name !== name));
