// Entry point: theme first, then settings and OpenAPI document, then the views.
import { render } from "preact";
import { watchConnection } from "./api/connection.ts";
import { loadDocument } from "./api/document.ts";
import { applyDemoKey, keyDialogOpen, keyState } from "./api/key.ts";
import { startLive } from "./api/live/live.ts";
import { startNotifications } from "./api/live/notifications.ts";
import { watchWanted } from "./api/live/wanted.ts";
import { loadSettings } from "./api/settings.ts";
import { restoreZone } from "./api/time-zone.ts";
import { App } from "./app/app.tsx";
import { currentLocation, watchLocation } from "./app/location.ts";
import { matchRoute } from "./app/routes.ts";
import { watchKeys } from "./app/shortcuts.ts";
import { watchTheme } from "./app/theme.ts";
import { installWorker } from "./install.ts";

const root = document.getElementById("page") as HTMLElement;

async function start(): Promise<void> {
  watchTheme();
  watchLocation();
  watchKeys();
  watchConnection();
  watchWanted();
  // Preload the view in parallel. If this fails, CurrentView reports it.
  matchRoute(currentLocation().path)
    ?.route.load()
    .catch(() => {});
  // Views and navigation depend on the OpenAPI document.
  await Promise.all([
    loadSettings(() =>
      render(<p class="loading">The server is starting. This page will load once it is ready.</p>, root),
    ),
    loadDocument(),
  ]);
  restoreZone();
  applyDemoKey();
  if (keyState.get().key === undefined) keyDialogOpen.set(true);
  render(<App />, root);
  startLive();
  startNotifications();
  installWorker();
}

void start();
