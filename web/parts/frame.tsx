// Layout of a view: title, actions, content, and a side panel, which shows the view's API requests by default.
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { changeQuery, useLocation } from "../app/location.ts";
import { useShortcuts } from "../app/shortcuts.ts";
import { ApiPanel, type Call } from "./api-panel.tsx";
import { ShareButton } from "./share/share-button.tsx";

type Props = {
  readonly title: string;
  /** The requests that the view is based on. */
  readonly calls: readonly Call[];
  /** Next to the title: counts, days. */
  readonly about?: ComponentChildren;
  /** Buttons and links for the whole view. */
  readonly actions?: ComponentChildren;
  /** Shown in the side panel instead of the requests. */
  readonly aside?: Aside | undefined;
  /** The view fills the window, and its content scrolls. */
  readonly full?: boolean;
  readonly children: ComponentChildren;
};

export type Aside = { readonly title: string; readonly content: ComponentChildren; readonly onClose: () => void };

export function Frame({ title, calls, about, actions, aside, full = false, children }: Props) {
  const { query } = useLocation();
  const showsApi = query.get("panel") === "api";
  const toggle = () => changeQuery({ panel: showsApi ? undefined : "api", call: undefined }, { replace: true });
  useLayoutEffect(() => {
    document.title = `${title} · Bellwire`;
  }, [title]);
  useShortcuts([{ keys: "a", description: "show API request", run: toggle }]);
  const panel: Aside | undefined =
    aside ?? (showsApi ? { title: "API request", content: <ApiPanel calls={calls} />, onClose: toggle } : undefined);
  useShortcuts(panel === undefined ? [] : [{ keys: "Escape", description: "close panel", run: panel.onClose }]);
  return (
    <div class={`frame${full ? " full" : ""}${panel === undefined ? "" : " split"}`}>
      <div class="frame-main">
        <div class="frame-head">
          <h1>{title}</h1>
          <div class="frame-about">{about}</div>
          <div class="frame-actions">
            {actions}
            <ShareButton title={title} calls={calls} />
            <button type="button" aria-pressed={showsApi} onClick={toggle} title="Show API request (a)">
              <span aria-hidden="true">{"{ }"}</span> <span class="button-word">API</span>
            </button>
          </div>
        </div>
        {children}
      </div>
      {panel !== undefined && (
        <aside class="panel" aria-label={panel.title}>
          <header>
            <h2>{panel.title}</h2>
            <button type="button" class="quiet" aria-label="Close panel" onClick={panel.onClose}>
              ✕
            </button>
          </header>
          <div class="panel-body">{panel.content}</div>
        </aside>
      )}
    </div>
  );
}
