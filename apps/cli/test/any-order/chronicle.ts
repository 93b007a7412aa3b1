import type { ApiVersion, StripeObject } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import type { Random } from "./random.ts";

export const MINUTE = 60;
export const DAY = 24 * 60 * MINUTE;

/** Whose link is clicked; each organization that is told the history has clicks of its own. */
export interface Click {
  partner: number;
  /** What stands in the events until there is one. */
  placeholder: string;
}

/** What Stripe tells in the course of time. */
export class Chronicle {
  readonly random: Random;
  /** A moment of today, Unix seconds: clicks are of it, since they are made while the test runs. */
  readonly today: number;
  readonly events: { at: number; event: StripeObject }[] = [];
  readonly clicks: Click[] = [];
  /** How much of a payment is gone in the end, by its id, as Stripe writes amounts. */
  readonly taken_back = new Map<string, number>();
  #ids = 0;

  constructor(random: Random, today: number) {
    this.random = random;
    this.today = today;
  }

  id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${this.#ids}`;
  }

  click(partner: number): string {
    const placeholder = `click-${this.clicks.length}-placeholder`;
    this.clicks.push({ partner, placeholder });
    return placeholder;
  }

  tell(
    type: string,
    object: StripeObject,
    { at, api_version }: { at: number; api_version: ApiVersion },
  ): void {
    // Ids of events are in no order.
    const id = this.id(`evt_${this.random.between(100_000, 999_999)}`);
    this.events.push({
      at,
      event: stripeEvent({ id, type, object, api_version, created: at, livemode: true }),
    });
  }
}
