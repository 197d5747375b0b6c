// Settings in the browser's local storage, if it is available.

const prefix = "bellwire.";

export function readStored(name: string): string | undefined {
  try {
    return window.localStorage.getItem(prefix + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function writeStored(name: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(prefix + name);
    else window.localStorage.setItem(prefix + name, value);
  } catch {
    // Storage is disabled or full: the value stays in memory only.
  }
}
