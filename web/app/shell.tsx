// Page shell: the top bar with navigation and search, and the banner for a lost connection.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { connection, probeNow } from "../api/connection.ts";
import { useDocument } from "../api/document.ts";
import { missingKey, rejectedKey } from "../api/failure.ts";
import { keyDialogOpen, keyState } from "../api/key.ts";
import { LiveStatus } from "../parts/live-status.tsx";
import { navigate, useLocation } from "./location.ts";
import { isCurrent, navItems } from "./navigation.ts";
import { SearchBox } from "./search-box.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useSignal } from "./signal.ts";
import { nextTheme, theme } from "./theme.ts";
import { WatchlistBar, WatchlistSwitch } from "./watchlist-bar.tsx";
import { ZoneSelect } from "./zone-select.tsx";

type Props = { readonly children: ComponentChildren; readonly onHelp: () => void };

const themeIcons = { system: "◐", light: "☀", dark: "☾" };

export function Shell({ children, onHelp }: Props) {
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/" aria-label="Bellwire, today">
          <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
            <path d="M8 1a4 4 0 0 0-4 4v4l-2 3h12l-2-3V5a4 4 0 0 0-4-4zM6 13a2 2 0 0 0 4 0z" />
          </svg>
          <span>Bellwire</span>
        </a>
        <LiveStatus />
        <Views />
        <SearchBox />
        <div class="bar-actions">
          <WatchlistSwitch />
          <ZoneSelect />
          <a href="/docs" title="API reference">
            Docs
          </a>
          <ThemeButton />
          <KeyButton />
          <button
            type="button"
            class="quiet keyboard-only"
            onClick={onHelp}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
        </div>
      </header>
      <ConnectionBar />
      <KeyBar />
      <WatchlistBar />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Views() {
  const { path } = useLocation();
  const items = navItems(useDocument());
  const views = useRef<HTMLUListElement>(null);
  const current = items.find((item) => isCurrent(path, item));
  // On a narrow screen, the views scroll.
  useEffect(() => {
    const list = views.current;
    const link = list?.querySelector<HTMLElement>("[aria-current]");
    if (list && link) list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
  }, [current?.path]);
  useShortcuts(
    items
      .filter(({ keys }) => keys !== "")
      .map(({ keys, label, href }) => ({ keys, description: `go to ${label}`, run: () => navigate(href) })),
  );
  return (
    <nav aria-label="Views">
      <ul ref={views}>
        {items.map((item) => (
          <li key={item.path}>
            <a
              href={item.href}
              {...(item === current ? { "aria-current": "page" as const } : {})}
              {...(item.keys === "" ? {} : { title: `${item.label} (${item.keys})` })}
            >
              {item.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function ThemeButton() {
  const current = useSignal(theme);
  const label = `Theme: ${current}`;
  return (
    <button type="button" class="quiet" onClick={nextTheme} aria-label={label} title={label}>
      {themeIcons[current]}
    </button>
  );
}

function KeyButton() {
  const { key, rejected, isDemoKey } = useSignal(keyState);
  return (
    <button
      type="button"
      class="quiet"
      onClick={() => keyDialogOpen.set(true)}
      title={key === undefined ? "Enter an API key" : isDemoKey ? "Using the demo API key" : "Change API key"}
    >
      {key === undefined ? "Key…" : rejected ? "Key ✕" : isDemoKey ? "Demo key" : "Key ✓"}
    </button>
  );
}

/** The only notice about a missing or rejected key. */
function KeyBar() {
  const { key, rejected } = useSignal(keyState);
  if (key !== undefined && !rejected) return null;
  const { title, detail } = rejected ? rejectedKey : missingKey;
  return (
    <div role="alert" class="connection-bar">
      <strong>{title}.</strong> {detail}{" "}
      <button type="button" onClick={() => keyDialogOpen.set(true)}>
        Enter API key
      </button>
    </div>
  );
}

function ConnectionBar() {
  const { lost } = useSignal(connection);
  return (
    <div role="status" class={lost ? "connection-bar" : "hidden"}>
      {lost && (
        <>
          Connection lost. Data may be stale. Reconnecting…{" "}
          <button type="button" onClick={probeNow}>
            Retry now
          </button>
        </>
      )}
    </div>
  );
}
