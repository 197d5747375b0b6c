// The page's URL, which holds the state of every view, and navigation.
import { type Signal, signal, useSignal } from "./signal.ts";

export type PageLocation = {
  /** Without a trailing slash, such as `/calendar/ratings`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Identifies this history entry, to restore its state when the user goes back. */
  readonly entry: string;
  /** Whether the user came here by going back or forward. */
  readonly fromHistory: boolean;
};

export type QueryChange = Readonly<Record<string, string | undefined>>;
type NavigateOptions = {
  readonly replace?: boolean;
  /** Adds a history entry for a panel of the same view, so that going back closes it. */
  readonly panel?: boolean;
  /** Without adding the parameters that views share. */
  readonly exact?: boolean;
};

/** Parameters that apply to every view, and so are retained on the way to another one. */
const sharedParams = ["tz", "my"];

type EntryState = { readonly entry?: string; readonly panel?: boolean } | null;

const newEntry = (): string => Math.random().toString(36).slice(2);

function readLocation(fromHistory = false): PageLocation {
  const { pathname, search } = window.location;
  const state = window.history.state as EntryState;
  return {
    path: pathname.replace(/(.)\/+$/, "$1"),
    query: new URLSearchParams(search),
    entry: state?.entry ?? "first",
    fromHistory,
  };
}

const current: Signal<PageLocation> = signal(readLocation());

export const useLocation = (): PageLocation => useSignal(current);
export const currentLocation = (): PageLocation => current.get();

/** `replace` overwrites the current history entry. */
export function navigate(href: string, options: NavigateOptions = {}): void {
  const { replace = false, panel = false, exact = false } = options;
  const before = current.get();
  const isSameView = replace || panel;
  const isPanel = panel || (replace && (window.history.state as EntryState)?.panel === true);
  const state: EntryState = { entry: isSameView ? before.entry : newEntry(), panel: isPanel };
  window.history[replace ? "replaceState" : "pushState"](state, "", exact ? href : withShared(href, before));
  current.set(readLocation(isSameView && before.fromHistory));
  if (before.path !== current.get().path) window.scrollTo(0, 0);
}

function withShared(href: string, { query }: PageLocation): string {
  const { pathname, searchParams } = new URL(href, window.location.href);
  for (const name of sharedParams) {
    const value = query.get(name);
    if (value !== null && !searchParams.has(name)) searchParams.set(name, value);
  }
  return `${pathname}${searchOf(searchParams)}`;
}

/** What the views share stays as it is when the user goes back to a page from before it was changed. */
function goThroughHistory(): void {
  const { query } = current.get();
  const next = readLocation(true);
  const shared = Object.fromEntries(sharedParams.map((name) => [name, query.get(name) ?? undefined]));
  window.history.replaceState(window.history.state, "", hrefWith(shared, next));
  current.set(readLocation(true));
}

/** The URL with some query parameters changed; an empty or undefined value removes the parameter. */
export function hrefWith(change: QueryChange, from: PageLocation = current.get()): string {
  const query = new URLSearchParams(from.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return `${from.path}${searchOf(query)}`;
}

export const changeQuery = (change: QueryChange, options?: NavigateOptions): void =>
  navigate(hrefWith(change), { ...options, exact: true });

/** Shows something in a panel. Moving on to something else in it adds no further history entry. */
export const openPanel = (change: QueryChange, isOpen: boolean): void =>
  changeQuery(change, isOpen ? { replace: true } : { panel: true });

/** Closes a panel: goes back if it was opened here, so that the history has no duplicate of the view. */
export function closePanel(change: QueryChange): void {
  if ((window.history.state as EntryState)?.panel === true) window.history.back();
  else changeQuery(change, { replace: true });
}

/** The query string, with commas, colons, and slashes unescaped for readability. */
export function searchOf(query: URLSearchParams): string {
  const text = query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/");
  return text === "" ? "" : `?${text}`;
}

/** Paths on this host that aren't views of the page. */
const isOutsidePage = (path: string): boolean => /^\/(docs|api|admin|changes|openapi\.json)(\/|$)/.test(path);

/** Handles clicks on links to views without reloading the page, and back and forward. */
export function watchLocation(): void {
  window.addEventListener("popstate", goThroughHistory);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== window.location.origin || isOutsidePage(link.pathname)) return;
    if (link.hash !== "" && link.pathname === window.location.pathname) return;
    event.preventDefault();
    navigate(`${link.pathname}${link.search}`);
  });
}
