// Waits for the signal that stops a long-running command.

/** A signal to stop, or the end of the process that keeps this one. More signals change nothing: the stop is under way. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "disconnect"] as const) process.on(signal, () => resolve());
  });
}
