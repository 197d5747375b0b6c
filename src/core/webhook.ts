// Webhooks as they are stored: what is delivered where, how far deliveries have come, and a log of attempts.

/**
 * Suspended: deliveries have stopped because they failed repeatedly or became impossible. Ended: the receiver responded with 410.
 * Both last until an operator intervenes.
 */
export const webhookStates = ["active", "paused", "suspended", "ended"] as const;
export type WebhookState = (typeof webhookStates)[number];

export type WebhookSecret = {
  readonly secret: string;
  /** When it stops signing (Unix seconds), because it has been rotated; absent for the current one. */
  readonly until?: number;
};

/** A record of which an event failed: that event and later ones wait, so that they arrive in order. */
export type HeldRecord = {
  readonly record: string;
  /** Positions of its events in the change log, oldest first. Only the first one has been attempted. */
  readonly events: readonly number[];
  readonly attempts: number;
  /** Unix seconds of the first failure, and of the next attempt. */
  readonly failedAt: number;
  readonly retryAt: number;
};

export type WebhookProgress = {
  /** Counts epoch, so that a process that delivers notices them. */
  readonly epoch: number;
  /** Every event up to it has been delivered or is held. */
  readonly position: number;
  readonly held: readonly HeldRecord[];
  /** Until when the receiver requested not to be sent anything (Unix seconds). */
  readonly pausedUntil: number;
  /** Events that were delivered. */
  readonly delivered: number;
  /** The last attempt; `at` in Unix milliseconds, `status` null without a response. */
  readonly last?: { readonly at: number; readonly status: number | null };
};

export type WebhookRow = {
  readonly id: string;
  readonly url: string;
  /** Name of the resource. */
  readonly resource: string;
  /** Query of the list: its filters and the form of its records. */
  readonly filters: string;
  /** Name of the key whose terms apply; empty: everything is delivered. */
  readonly key: string;
  readonly secrets: readonly WebhookSecret[];
  /** Unix seconds. */
  readonly created: number;
  readonly state: WebhookState;
  /** Why it isn't active, for the operator; empty otherwise. */
  readonly reason: string;
  /** When the state last changed, Unix seconds. */
  readonly changed: number;
  /** Incremented by every change, so that one based on an older version is detected. */
  readonly version: number;
  readonly progress: WebhookProgress;
};

export type WebhookChanges = Partial<Pick<WebhookRow, "url" | "secrets" | "state" | "reason" | "changed" | "progress">>;

/** One attempt to deliver an event. */
export type DeliveryRow = {
  readonly webhook: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The `webhook-id` that was sent. */
  readonly message: string;
  /** The type of the event, such as `ratings.created`. */
  readonly event: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly ms: number;
  /** The first bytes of the response, or why there is none. */
  readonly response: string;
};

/** Attempts that the log retains for each webhook. */
export const maxLoggedDeliveries = 100;
