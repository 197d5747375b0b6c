// The start of the page: theme first, then what the server says of itself, then the views.
import { render } from "preact";
import { followConnection } from "./api/connection.ts";
import { loadDocument } from "./api/document.ts";
import { keyAsked, keyState, offerKey } from "./api/key.ts";
import { loadSettings } from "./api/settings.ts";
import { App } from "./app/app.tsx";
import { currentPlace, followAddress } from "./app/location.ts";
import { matchOf } from "./app/routes.ts";
import { followKeys } from "./app/shortcuts.ts";
import { followTheme } from "./app/theme.ts";

const root = document.getElementById("page") as HTMLElement;

async function start(): Promise<void> {
  followTheme();
  followAddress();
  followKeys();
  followConnection();
  // The view is on its way while the server is asked; should that fail, the view itself says so.
  matchOf(currentPlace().path)
    ?.route.load()
    .catch(() => {});
  // Nothing can be requested without the document, and the navigation would shift when it arrives.
  const [{ key }] = await Promise.all([
    loadSettings(() =>
      render(<p class="loading">The server is starting. The page appears as soon as it is ready.</p>, root),
    ),
    loadDocument(),
  ]);
  if (key !== undefined) offerKey(key);
  if (keyState.get().key === undefined) keyAsked.set(true);
  render(<App />, root);
}

void start();
