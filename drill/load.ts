import { randomUUID } from "node:crypto";
import { pass, until } from "./wait.ts";

const REQUEST_MILLISECONDS = 20_000;
const ACKNOWLEDGED_SECONDS = 120;
/** Without a `Retry-After`. */
const RETRY_SECONDS = 1;
/** One of this many reports creates an affiliate, and the others report a payment. */
const AFFILIATE_EACH = 5;
/** Requests in flight or waiting for a retry, so that a long outage does not use up the slots of the key. */
const MOST_PENDING = 60;

export interface LoadOptions {
  url: string;
  api_key: string;
  referral_id: string;
  per_second: number;
}

export interface Report {
  /** The type of the event about the resource. */
  event_type: "commission.created" | "affiliate.created";
  /** The payment's id, or the affiliate's email. */
  name: string;
  /** The id of the resource that was acknowledged. */
  id: string;
  /** On the clock of `performance.now()`. */
  acknowledged_at: number;
}

/** Clients that report payments and affiliates, and retry each until it is acknowledged. */
export class Load {
  readonly run_id = randomUUID();
  readonly reports: Report[] = [];
  /** The number of responses that are not 200, by status, or by the connection's failure. */
  readonly errors = new Map<string, number>();
  private readonly options: LoadOptions;
  private readonly pending = new Set<Promise<void>>();
  private readonly timer: NodeJS.Timeout;
  private readonly started_at = performance.now();
  private count = 0;

  constructor(options: LoadOptions) {
    this.options = options;
    this.timer = setInterval(() => this.begin(), 1000 / options.per_second);
  }

  /** Begins no more reports, and waits until all are acknowledged. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await until("every report is acknowledged", ACKNOWLEDGED_SECONDS, async () =>
      this.pending.size === 0 ? true : null,
    );
  }

  /** The longest time without an acknowledgement, in seconds. */
  longestGap(): number {
    const times = [this.started_at, ...this.reports.map(({ acknowledged_at }) => acknowledged_at)];
    const gaps = times.toSorted((a, b) => a - b).map((time, index, all) => time - (all[index - 1] ?? time));
    return Math.max(...gaps) / 1000;
  }

  private begin(): void {
    if (this.pending.size >= MOST_PENDING) return;
    const report = this.report().finally(() => this.pending.delete(report));
    this.pending.add(report);
  }

  private async report(): Promise<void> {
    const number = this.count++;
    const isAffiliate = number % AFFILIATE_EACH === 0;
    const name = isAffiliate ? `a${number}-${this.run_id}@example.com` : `in_${number}_${this.run_id}`;
    const [path, body] = isAffiliate
      ? ["affiliates", { email: name, first_name: "Jane" }]
      : [
          "commissions",
          {
            referral_id: this.options.referral_id,
            processor_payment_id: name,
            revenue_amount: 10,
            commission_amount: 1,
          },
        ];
    const id = await this.send(`${this.options.url}/v1/${path}`, JSON.stringify(body));
    const event_type = isAffiliate ? "affiliate.created" : "commission.created";
    this.reports.push({ event_type, name, id, acknowledged_at: performance.now() });
  }

  /** Sends a request with one key until it is acknowledged; returns the id of the resource. */
  private async send(url: string, body: string): Promise<string> {
    const idempotency_key = randomUUID();
    for (;;) {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${this.options.api_key}`,
          "content-type": "application/json",
          "idempotency-key": idempotency_key,
        },
        body,
        signal: AbortSignal.timeout(REQUEST_MILLISECONDS),
      })
        .then(async (answer) => ({
          status: answer.status,
          text: await answer.text(),
          wait: answer.headers.get("retry-after"),
        }))
        .catch((error: unknown) => ({ status: connectionError(error), text: "", wait: null }));
      if (response.status === 200) return JSON.parse(response.text).data.id;
      const hint = response.status === 503 && response.wait === null ? " without Retry-After" : "";
      const error = `${response.status}${hint}`;
      this.errors.set(error, (this.errors.get(error) ?? 0) + 1);
      if (
        typeof response.status === "number" &&
        response.status < 500 &&
        ![409, 429].includes(response.status)
      )
        throw new Error(`${url} answers ${response.status}: ${response.text}`);
      await pass(Number(response.wait ?? RETRY_SECONDS) * 1000);
    }
  }
}

function connectionError(error: unknown): string {
  if (error instanceof DOMException) return "timeout";
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "connection";
}
