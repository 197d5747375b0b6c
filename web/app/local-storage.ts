// What this browser keeps between visits. Where it may keep nothing, the page works for as long as it is open.

const prefix = "bellwire.";

export function kept(name: string): string | undefined {
  try {
    return window.localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(prefix + name);
    else window.localStorage.setItem(prefix + name, value);
  } catch {
    // Storage is switched off or full: the value lives in memory alone.
  }
}
