// Light or dark: as the system says, or as was chosen here.

import { keep, kept } from "./local-storage.ts";
import { type Cell, cell } from "./signal.ts";

export type Theme = "system" | "light" | "dark";
const themes: readonly Theme[] = ["system", "light", "dark"];

const isTheme = (text: string | undefined): text is Theme => themes.includes(text as Theme);
const before = kept("theme");

export const theme: Cell<Theme> = cell(isTheme(before) ? before : "system");

const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** What is seen: for charts, which do not read style sheets. */
export const seen: Cell<"light" | "dark"> = cell("light");

function show(): void {
  const chosen = theme.get();
  const look = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
  document.documentElement.dataset.theme = look;
  seen.set(look);
}

export function followTheme(): void {
  show();
  dark.addEventListener("change", show);
  theme.subscribe(show);
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] as Theme;
  keep("theme", next === "system" ? undefined : next);
  theme.set(next);
}
