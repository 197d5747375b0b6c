// Routes: which view a path shows. Views are loaded on first use.
import type { ComponentType } from "preact";

/** Path segments by their names in the route. */
export type ViewProps = { readonly segments: Readonly<Record<string, string>> };
export type View = ComponentType<ViewProps>;

type Route = { readonly path: string; readonly load: () => Promise<View> };

const routes: readonly Route[] = [
  { path: "/", load: async () => (await import("../views/today/today-view.tsx")).TodayView },
  { path: "/day/:day", load: async () => (await import("../views/today/today-view.tsx")).TodayView },
  { path: "/news", load: async () => (await import("../views/news/news-view.tsx")).NewsView },
  { path: "/news/:id", load: async () => (await import("../views/news/news-item-view.tsx")).NewsItemView },
  { path: "/calendar/:name", load: async () => (await import("../views/calendar/calendar-view.tsx")).CalendarView },
  { path: "/ticker", load: async () => (await import("../views/ticker/ticker-view.tsx")).TickerView },
  { path: "/ticker/:symbol", load: async () => (await import("../views/ticker/ticker-view.tsx")).TickerView },
  { path: "/operator", load: async () => (await import("../views/operator/operator-view.tsx")).OperatorView },
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
