/** An organization that has answered nothing for so long gets no more than its part of a worker that is full. */
const STALLED_MILLISECONDS = 250;

/** What one worker does for one organization, over all of its endpoints. */
export class Share {
  readonly organization_id: string;
  /** Endpoints that we know of. */
  lanes = 0;
  in_flight = 0;
  #last_answer_at = 0;

  constructor(organization_id: string) {
    this.organization_id = organization_id;
  }

  hasStalled(now: number): boolean {
    return this.in_flight > 0 && now - this.#last_answer_at > STALLED_MILLISECONDS;
  }

  started(now: number): void {
    if (this.in_flight === 0) this.#last_answer_at = now;
    this.in_flight += 1;
  }

  answered(now: number): void {
    this.in_flight -= 1;
    this.#last_answer_at = now;
  }
}
