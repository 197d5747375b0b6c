// Color theme: the system's, or the user's choice.

import { readStored, writeStored } from "./local-storage.ts";
import { type Signal, signal } from "./signal.ts";

export type Theme = "system" | "light" | "dark";
const themes: readonly Theme[] = ["system", "light", "dark"];

const isTheme = (text: string | undefined): text is Theme => themes.includes(text as Theme);
const saved = readStored("theme");

export const theme: Signal<Theme> = signal(isTheme(saved) ? saved : "system");

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const print = window.matchMedia("print");

/** For charts, which don't use style sheets. */
export const appliedTheme: Signal<"light" | "dark"> = signal("light");

function apply(): void {
  const selected = theme.get();
  const screen = selected === "system" ? (dark.matches ? "dark" : "light") : selected;
  const applied = print.matches ? "light" : screen;
  document.documentElement.dataset.theme = applied;
  appliedTheme.set(applied);
}

export function watchTheme(): void {
  apply();
  dark.addEventListener("change", apply);
  print.addEventListener("change", apply);
  theme.subscribe(apply);
}

export function nextTheme(): void {
  const next = themes[(themes.indexOf(theme.get()) + 1) % themes.length] as Theme;
  writeStored("theme", next === "system" ? undefined : next);
  theme.set(next);
}
