import type { Patience } from "./patience.ts";
import type { Receiver } from "./receiver.ts";
import type { Service } from "./service.ts";
import type { Steps } from "./steps.ts";

/** What every step of the demonstration works with. */
export interface Stage {
  service: Service;
  receiver: Receiver;
  patience: Patience;
  steps: Steps;
}

/** Who takes part, once the stage is set. */
export interface Cast {
  affiliate_id: string;
  click_id: string;
  /** What Stripe's events are signed with. */
  signing_secret: string;
}
