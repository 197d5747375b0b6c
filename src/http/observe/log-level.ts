// Log levels and formats.

export type LogLevel = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
export const logLevels: readonly LogLevel[] = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** `auto`: text on a terminal, JSON anywhere else. */
export type LogFormat = "auto" | "json" | "text";
export const logFormats: readonly LogFormat[] = ["auto", "json", "text"];
