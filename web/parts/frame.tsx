// The frame of a view: title, what can be done, and a panel beside it. Every view shows its requests there.
import type { ComponentChildren } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { changeQuery, usePlace } from "../app/location.ts";
import { useShortcuts } from "../app/shortcuts.ts";
import { ApiPanel, type Call } from "./api-panel.tsx";

type Props = {
  readonly title: string;
  /** The requests behind what is shown. */
  readonly calls: readonly Call[];
  /** Beside the title: counts, days. */
  readonly about?: ComponentChildren;
  /** Buttons and links that act on the whole view. */
  readonly actions?: ComponentChildren;
  /** Something of the view's own to be shown beside it, in place of the requests. */
  readonly aside?: Aside | undefined;
  /** The view fills the window and scrolls inside. */
  readonly full?: boolean;
  readonly children: ComponentChildren;
};

export type Aside = { readonly title: string; readonly content: ComponentChildren; readonly onClose: () => void };

export function Frame({ title, calls, about, actions, aside, full = false, children }: Props) {
  const { query } = usePlace();
  const showsApi = query.get("panel") === "api";
  const toggle = () => changeQuery({ panel: showsApi ? undefined : "api", call: undefined }, { replace: true });
  useLayoutEffect(() => {
    document.title = `${title} · Bellwire`;
  }, [title]);
  useShortcuts([{ keys: "a", does: "this view as an API call", run: toggle }]);
  const beside: Aside | undefined =
    aside ?? (showsApi ? { title: "As an API call", content: <ApiPanel calls={calls} />, onClose: toggle } : undefined);
  return (
    <div class={`frame${full ? " full" : ""}${beside === undefined ? "" : " split"}`}>
      <div class="frame-main">
        <div class="frame-head">
          <h1>{title}</h1>
          <div class="frame-about">{about}</div>
          <div class="frame-actions">
            {actions}
            <button type="button" aria-pressed={showsApi} onClick={toggle} title="This view as an API call (a)">
              <span aria-hidden="true">{"{ }"}</span> API
            </button>
          </div>
        </div>
        {children}
      </div>
      {beside !== undefined && (
        <aside class="panel" aria-label={beside.title}>
          <header>
            <h2>{beside.title}</h2>
            <button type="button" class="quiet" aria-label="Close the panel" onClick={beside.onClose}>
              ✕
            </button>
          </header>
          <div class="panel-body">{beside.content}</div>
        </aside>
      )}
    </div>
  );
}
