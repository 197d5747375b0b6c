// Where the page is: the address, read and written. Everything a view shows can be read from here.
import { type Cell, cell, useCell } from "./signal.ts";

export type Place = {
  /** Path without a slash at its end, such as `/calendar/ratings`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names this entry of the history, so that what is remembered for it is found when one goes back. */
  readonly entry: string;
  /** Whether one came here by going back or forward: what was seen then is to be seen again. */
  readonly returned: boolean;
};

export type Change = Readonly<Record<string, string | undefined>>;
type Manner = { readonly replace?: boolean };

const freshEntry = (): string => Math.random().toString(36).slice(2);

function read(returned = false): Place {
  const { pathname, search } = window.location;
  const state = window.history.state as { entry?: string } | null;
  return {
    path: pathname.replace(/(.)\/+$/, "$1"),
    query: new URLSearchParams(search),
    entry: state?.entry ?? "first",
    returned,
  };
}

const place: Cell<Place> = cell(read());

export const usePlace = (): Place => useCell(place);
export const currentPlace = (): Place => place.get();

/** Goes to an address of this page. `replace` leaves no entry behind: for what nobody would want to go back to. */
export function navigate(href: string, { replace = false }: Manner = {}): void {
  const before = place.get();
  const state = { entry: replace ? before.entry : freshEntry() };
  window.history[replace ? "replaceState" : "pushState"](state, "", href);
  place.set(read(replace && before.returned));
  if (before.path !== place.get().path) window.scrollTo(0, 0);
}

/** The address with some members of its query changed; an empty or undefined value takes the member out. */
export function hrefWith(change: Change, from: Place = place.get()): string {
  const query = new URLSearchParams(from.query);
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  return `${from.path}${searchOf(query)}`;
}

export const changeQuery = (change: Change, manner?: Manner): void => navigate(hrefWith(change), manner);

/** A query that people can read: commas, colons and slashes stay as they are. */
export function searchOf(query: URLSearchParams): string {
  const text = query.toString().replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/");
  return text === "" ? "" : `?${text}`;
}

/** Paths of this host that are no views of the page. */
const isElsewhere = (path: string): boolean => /^\/(docs|api|admin|changes|openapi\.json)(\/|$)/.test(path);

/** Lets links of the page change the address without loading it anew, and follows back and forward. */
export function followAddress(): void {
  window.addEventListener("popstate", () => place.set(read(true)));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null || link.target !== "" || link.hasAttribute("download")) return;
    if (link.origin !== window.location.origin || isElsewhere(link.pathname)) return;
    if (link.hash !== "" && link.pathname === window.location.pathname) return;
    event.preventDefault();
    navigate(`${link.pathname}${link.search}`);
  });
}
