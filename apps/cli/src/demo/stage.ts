import type { Poller } from "./poller.ts";
import type { Receiver } from "./receiver.ts";
import type { Service } from "./service.ts";
import type { Steps } from "./steps.ts";

/** Shared by every step of the demo. */
export interface Stage {
  service: Service;
  receiver: Receiver;
  poller: Poller;
  steps: Steps;
}

/** The participants, after setup. */
export interface Participants {
  affiliate_id: string;
  click_id: string;
  /** The secret that signs Stripe's events. */
  signing_secret: string;
}
