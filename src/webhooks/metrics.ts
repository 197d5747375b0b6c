// Metrics of webhooks, from the process that delivers them.
import { type WebhookRow, webhookStates } from "../core/webhook.ts";
import { type Family, gauge, histogram, plain } from "../metrics/family.ts";
import { Histogram } from "../metrics/histogram.ts";

export class DeliveryStatistics {
  /** Attempts in flight. */
  inFlight = 0;
  /** Records that wait for a retry. */
  held = 0;
  /** Age of the event that has been waiting the longest. */
  lagSeconds = 0;
  webhooks: readonly Pick<WebhookRow, "state">[] = [];
  readonly #seconds = { delivered: new Histogram(), failed: new Histogram() };

  attempted(isDelivered: boolean, ms: number): void {
    this.#seconds[isDelivered ? "delivered" : "failed"].add(ms);
  }

  families(): Family[] {
    return [
      histogram(
        "bellwire_webhook_attempt_seconds",
        "Duration of attempts to deliver an event, by result.",
        Object.entries(this.#seconds).map(([result, seconds]) => [{ result }, seconds]),
      ),
      gauge("bellwire_webhook_attempts_in_flight", "Attempts in flight.", plain(this.inFlight)),
      gauge("bellwire_webhook_held_records", "Records whose events are held until a retry succeeds.", plain(this.held)),
      gauge(
        "bellwire_webhook_lag_seconds",
        "Age of the event that has been waiting the longest.",
        plain(this.lagSeconds),
        "max",
      ),
      gauge(
        "bellwire_webhooks",
        "Webhooks by state.",
        webhookStates.map((state) => ({
          labels: { state },
          value: this.webhooks.filter((each) => each.state === state).length,
        })),
      ),
    ];
  }
}
