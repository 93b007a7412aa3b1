import type { ApiVersion, StripeObject } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import type { Random } from "./random.ts";

export const MINUTE = 60;
export const DAY = 24 * 60 * MINUTE;

/** The affiliate of the clicked link; each organization that receives the history has its own clicks. */
export interface Click {
  partner: number;
  /** The placeholder in the events until a click exists. */
  placeholder: string;
}

/** Stripe's events over time. */
export class Timeline {
  readonly random: Random;
  /** A time today, in Unix seconds: clicks are created while the test runs. */
  readonly today: number;
  readonly events: { at: number; event: StripeObject }[] = [];
  readonly clicks: Click[] = [];
  /** The reversed amount of each payment by its id, in Stripe's units. */
  readonly reversed = new Map<string, number>();
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

  report(
    type: string,
    object: StripeObject,
    { at, api_version }: { at: number; api_version: ApiVersion },
  ): void {
    // Event ids are unordered.
    const id = this.id(`evt_${this.random.between(100_000, 999_999)}`);
    this.events.push({
      at,
      event: stripeEvent({ id, type, object, api_version, created: at, livemode: true }),
    });
  }
}
