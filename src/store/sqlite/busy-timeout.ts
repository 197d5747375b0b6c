// How long a write waits for the write lock, whether another process holds it or a load of this one.
export const busyTimeoutMs = 30_000;
