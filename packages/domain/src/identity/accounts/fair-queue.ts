/** A person who waits for work. */
export interface Waiting {
  /** The network or person that the work counts for in shares of the queue. */
  share: string;
  /** Whether the result is still of use: work for nobody is left out. */
  isWaiting(): boolean;
}

export interface QueueLimits {
  /** Works at once. */
  at_once: number;
  /** The most that wait in one share, and in all. */
  of_share: number;
  of_all: number;
  /** Work that waited longer is refused. */
  milliseconds: number;
}

const MINUTE_MILLISECONDS = 60_000;

interface Work {
  waiting: Waiting;
  since: number;
  start(): Promise<unknown>;
  refuse(): void;
}

/**
 * A queue in which no share keeps others out: who had the fewest works in this minute is next, each share has a limit, and a
 * full queue makes place for a smaller share by refusing the last work of the largest.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #refusal: () => Error;
  readonly #shares = new Map<string, Work[]>();
  /** How many works of each share began in this minute. */
  #begun = new Map<string, number>();
  #minute_ends_at = 0;
  #waiting = 0;
  #running = 0;

  constructor(limits: QueueLimits, refusal: () => Error) {
    this.#limits = limits;
    this.#refusal = refusal;
  }

  /** Does the work when its turn comes. Throws the queue's refusal if there is no place, or it waited too long. */
  async run<Result>(waiting: Waiting, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#limits.at_once) {
      this.#count(waiting.share);
      return await this.#do(work);
    }
    this.#makePlace(waiting.share);
    return await new Promise<Result>((resolve, reject) => {
      this.#add({
        waiting,
        since: performance.now(),
        start: () => this.#do(work).then(resolve, reject),
        refuse: () => reject(this.#refusal()),
      });
    });
  }

  async #do<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  #makePlace(share: string): void {
    const own = this.#shares.get(share)?.length ?? 0;
    if (own >= this.#limits.of_share) throw this.#refusal();
    if (this.#waiting < this.#limits.of_all) return;
    const [largest, works] = [...this.#shares].reduce((a, b) => (b[1].length > a[1].length ? b : a));
    if (works.length <= own + 1) throw this.#refusal();
    works.pop()?.refuse();
    this.#waiting -= 1;
    if (works.length === 0) this.#shares.delete(largest);
  }

  #add(work: Work): void {
    const works = this.#shares.get(work.waiting.share);
    if (works === undefined) this.#shares.set(work.waiting.share, [work]);
    else works.push(work);
    this.#waiting += 1;
  }

  #startNext(): void {
    for (;;) {
      const work = this.#takeNext();
      if (work === undefined) return;
      const is_late = performance.now() - work.since > this.#limits.milliseconds;
      if (!is_late && work.waiting.isWaiting()) {
        void work.start();
        return;
      }
      work.refuse();
    }
  }

  /**
   * The first work of the share with the fewest works in this minute; of several such shares, the one that
   * waits longest.
   */
  #takeNext(): Work | undefined {
    let next: { share: string; works: Work[]; begun: number } | null = null;
    for (const [share, works] of this.#shares) {
      const begun = this.#begun.get(share) ?? 0;
      if (next === null || begun < next.begun) next = { share, works, begun };
    }
    if (next === null) return undefined;
    const { share, works } = next;
    const work = works.shift();
    this.#waiting -= 1;
    this.#count(share);
    this.#shares.delete(share);
    if (works.length > 0) this.#shares.set(share, works);
    return work;
  }

  #count(share: string): void {
    const now = performance.now();
    if (now >= this.#minute_ends_at) {
      this.#begun = new Map();
      this.#minute_ends_at = now + MINUTE_MILLISECONDS;
    }
    this.#begun.set(share, (this.#begun.get(share) ?? 0) + 1);
  }
}
