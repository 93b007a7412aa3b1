import type { Lane } from "./lane.ts";
import { Rate } from "./rate.ts";

/** Deliveries that are kept for an organization whose endpoints have not answered lately. */
const LEAST_QUEUE = 256;

/** What one worker does for one organization, over all of its endpoints. */
export class Share {
  readonly organization_id: string;
  /** Endpoints that we know of. */
  lanes = 0;
  in_flight = 0;
  queued = 0;
  /** Lanes whose turn it is, while all the organization's places are taken. */
  readonly blocked: Lane[] = [];
  readonly #answers = new Rate();

  constructor(organization_id: string) {
    this.organization_id = organization_id;
  }

  /** How many more deliveries may be kept for it: about a second's worth. */
  room(now: number): number {
    return Math.max(0, Math.max(LEAST_QUEUE, this.#answers.most(now)) - this.queued);
  }

  answered(now: number): void {
    this.#answers.count(now);
  }
}
