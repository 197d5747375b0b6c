// What surrounds every view: the bar with navigation and search, and a word when the server is away.
import type { ComponentChildren } from "preact";
import { connection, probeNow } from "../api/connection.ts";
import { useDocument } from "../api/document.ts";
import { keyAsked, keyState } from "../api/key.ts";
import { navigate, usePlace } from "./location.ts";
import { isAt, targetsOf } from "./navigation.ts";
import { SearchBox } from "./search-box.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { useCell } from "./signal.ts";
import { nextTheme, theme } from "./theme.ts";

type Props = { readonly children: ComponentChildren; readonly onHelp: () => void };

const themeSigns = { system: "◐", light: "☀", dark: "☾" };

export function Shell({ children, onHelp }: Props) {
  const { path } = usePlace();
  const targets = targetsOf(useDocument());
  const { key, prefilled } = useCell(keyState);
  const look = useCell(theme);
  useShortcuts(
    targets
      .filter(({ keys }) => keys !== "")
      .map(({ keys, label, href }) => ({ keys, does: `go to ${label}`, run: () => navigate(href) })),
  );
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href="/" aria-label="Bellwire, today">
          <svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
            <path d="M8 1a4 4 0 0 0-4 4v4l-2 3h12l-2-3V5a4 4 0 0 0-4-4zM6 13a2 2 0 0 0 4 0z" />
          </svg>
          <span>Bellwire</span>
        </a>
        <nav aria-label="Views">
          <ul>
            {targets.map((target) => (
              <li key={target.path}>
                <a
                  href={target.href}
                  {...(isAt(path, target) ? { "aria-current": "page" as const } : {})}
                  {...(target.keys === "" ? {} : { title: `${target.label} (${target.keys})` })}
                >
                  {target.label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <SearchBox />
        <div class="bar-actions">
          <a href="/docs" title="Reference of the API">
            Docs
          </a>
          <button
            type="button"
            class="quiet"
            onClick={nextTheme}
            aria-label={`Theme: ${look}`}
            title={`Theme: ${look}`}
          >
            {themeSigns[look]}
          </button>
          <button
            type="button"
            class="quiet"
            onClick={() => keyAsked.set(true)}
            title={key === undefined ? "Enter a key" : prefilled ? "The demo’s key is used" : "Change the key"}
          >
            {key === undefined ? "Key…" : prefilled ? "Demo key" : "Key ✓"}
          </button>
          <button
            type="button"
            class="quiet"
            onClick={onHelp}
            aria-label="Keyboard shortcuts"
            title="Keyboard shortcuts (?)"
          >
            ?
          </button>
        </div>
      </header>
      <Away />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

function Away() {
  const { lost } = useCell(connection);
  return (
    <div role="status" class={lost ? "away-bar" : "hidden"}>
      {lost && (
        <>
          The server can’t be reached. What is shown may be old; it is asked again until it answers.{" "}
          <button type="button" onClick={probeNow}>
            Ask now
          </button>
        </>
      )}
    </div>
  );
}
