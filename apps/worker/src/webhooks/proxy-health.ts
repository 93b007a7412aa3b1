import type { Logger } from "pino";
import { Gauge, type Registry } from "prom-client";
import type { AttemptOutcome } from "./outcome.ts";

/** Reports whether deliveries fail at the webhook proxy: a gauge, and a log line for each change. */
export class ProxyHealth {
  readonly #log: Logger;
  /** When the attempts started to fail there, on the monotonic clock; null: they do not. */
  #failing_since: number | null = null;

  constructor(registry: Registry, log: Logger) {
    this.#log = log;
    const seconds = () =>
      this.#failing_since === null ? 0 : (performance.now() - this.#failing_since) / 1000;
    new Gauge({
      name: "findersfee_webhook_proxy_failing_seconds",
      help: "How long all attempts of this process have failed at the webhook proxy; 0 when it works, or there is none.",
      registers: [registry],
      collect() {
        this.set(seconds());
      },
    });
  }

  note({ status, error_code, error_message }: AttemptOutcome): void {
    if (error_code === "proxy") {
      if (this.#failing_since !== null) return;
      this.#failing_since = performance.now();
      this.#log.error({ error_message }, "deliveries fail at the webhook proxy");
    } else if (status !== null && this.#failing_since !== null) {
      // A receiver answered. Other failures may have come before the proxy.
      this.#failing_since = null;
      this.#log.info("deliveries pass the webhook proxy again");
    }
  }
}
