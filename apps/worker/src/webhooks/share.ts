/** An organization that has answered nothing for so long gets no more than its part of a worker that is full. */
const STALLED_MILLISECONDS = 250;

/** One organization's part of a worker, over the lanes of all its endpoints. */
export class Share<Lane> {
  readonly organization_id: string;
  /** Of the endpoints that the worker knows. */
  readonly lanes = new Set<Lane>();
  in_flight = 0;
  /** Deliveries that were read and not begun. */
  queued = 0;
  /** Lanes that may send now. */
  readonly ready: Lane[] = [];
  /** Lanes that have something to read. */
  readonly due = new Set<Lane>();
  /** Whether it stands among the organizations that take turns. */
  is_in_turn = false;
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
