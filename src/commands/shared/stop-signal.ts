// Waits for the signal that stops a long-running command.

/** Resolves on SIGTERM, SIGINT, or when the primary process exits. Further signals are ignored during shutdown. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT", "disconnect"] as const) process.on(signal, () => resolve());
  });
}
