import { FIRST_POSITION, type Position } from "./position.ts";

/** Where the primary was at a moment of this process's clock, in milliseconds. */
interface Sample {
  at: number;
  position: Position;
}

const RETENTION_MILLISECONDS = 10 * 60_000;

/**
 * How late a standby is, by comparing positions: a standby that has replayed all that the primary had written at a moment is as late as
 * that moment is long ago. So a standby of a primary that nobody writes to is never late, and no clock of a server counts.
 */
export class PrimaryPositions {
  #samples: Sample[] = [];

  /** The primary has written up to `position`; it was asked at `at`. */
  add(at: number, position: Position): void {
    const last = this.#samples.at(-1);
    // The primary was restored, or is another server, so the samples say nothing about it.
    if (last !== undefined && position < last.position) this.#samples = [];
    this.#samples.push({ at, position });
    const oldest = at - RETENTION_MILLISECONDS;
    while ((this.#samples[0]?.at ?? at) < oldest) this.#samples.shift();
  }

  /** The milliseconds that a standby at `replayed` is late at most; infinite if it is not known. */
  lag(replayed: Position, now: number): number {
    const seen = this.#samples.findLast(({ position }) => position <= replayed);
    return seen === undefined ? Number.POSITIVE_INFINITY : now - seen.at;
  }

  /** The newest known position of the primary. */
  get newest(): Position {
    return this.#samples.at(-1)?.position ?? FIRST_POSITION;
  }
}
