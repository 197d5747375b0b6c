// Routes: which view a path shows. Views are loaded on first use.
import type { ComponentType } from "preact";

/** Path segments by their names in the route. */
export type ViewProps = { readonly segments: Readonly<Record<string, string>> };
export type View = ComponentType<ViewProps>;

type Route = { readonly path: string; readonly load: () => Promise<View> };

/** One load for all callers, who then all wait for the style sheet of the view as well. */
function once(load: Route["load"]): Route["load"] {
  let loading: Promise<View> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}

const today = once(async () => (await import("../views/today/today-view.tsx")).TodayView);
const ticker = once(async () => (await import("../views/ticker/ticker-view.tsx")).TickerView);

const routes: readonly Route[] = [
  { path: "/", load: today },
  { path: "/day/:day", load: today },
  { path: "/news", load: once(async () => (await import("../views/news/news-view.tsx")).NewsView) },
  { path: "/news/:id", load: once(async () => (await import("../views/news/news-item-view.tsx")).NewsItemView) },
  {
    path: "/calendar/:name",
    load: once(async () => (await import("../views/calendar/calendar-view.tsx")).CalendarView),
  },
  { path: "/ticker", load: ticker },
  { path: "/ticker/:symbol", load: ticker },
  { path: "/operator", load: once(async () => (await import("../views/operator/operator-view.tsx")).OperatorView) },
];

export type Match = { readonly route: Route; readonly segments: Readonly<Record<string, string>> };

export function matchRoute(path: string): Match | undefined {
  const pathSegments = path.split("/");
  for (const route of routes) {
    const names = route.path.split("/");
    if (names.length !== pathSegments.length) continue;
    const segments: Record<string, string> = {};
    const matches = names.every((name, at) => {
      const segment = pathSegments[at] ?? "";
      if (!name.startsWith(":")) return name === segment;
      segments[name.slice(1)] = decoded(segment);
      return segment !== "";
    });
    if (matches) return { route, segments };
  }
  return undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
