import { hash, randomBytes } from "node:crypto";

const MINUTE_MILLISECONDS = 60_000;
/** Cells per row; a power of two. */
const CELLS = 1 << 16;

/**
 * Counts requests per network against a limit per minute, or another time, in memory that does not grow with the number of
 * networks (a count-min sketch). Each network has one cell in each row, and its count is the smaller of the
 * two, so sharing one cell with another network does no harm. A random key selects the cells, so nobody can
 * target another network's cells, and no address is stored.
 */
export class AddressLimiter {
  readonly #limit: number;
  readonly #milliseconds: number;
  readonly #key = randomBytes(16).toString("hex");
  /** Empty until the first request: a service has many limiters, and uses few of them. */
  #first = new Uint32Array();
  #second = new Uint32Array();
  /** On the monotonic clock. */
  #ends_at = 0;

  constructor(limit: number, milliseconds = MINUTE_MILLISECONDS) {
    this.#limit = limit;
    this.#milliseconds = milliseconds;
  }

  /** Counts one request, and returns whether the network exceeds its limit. */
  count(network: string): boolean {
    const [first, second] = this.#cellsOf(network);
    const count = Math.min(increment(this.#first, first), increment(this.#second, second));
    return count > this.#limit;
  }

  /** Whether one more request would exceed the network's limit. */
  isExhausted(network: string): boolean {
    const [first, second] = this.#cellsOf(network);
    return Math.min(this.#first[first] ?? 0, this.#second[second] ?? 0) >= this.#limit;
  }

  /** Seconds until all counts reset. */
  get reset_seconds(): number {
    return Math.max(1, Math.ceil((this.#ends_at - performance.now()) / 1000));
  }

  #cellsOf(network: string): [first: number, second: number] {
    const now = performance.now();
    if (now >= this.#ends_at) {
      this.#first = new Uint32Array(CELLS);
      this.#second = new Uint32Array(CELLS);
      this.#ends_at = now + this.#milliseconds;
    }
    // Not a buffer, which takes 0.95 µs instead of 0.25 and memory outside the heap.
    const digest = hash("sha256", this.#key + network, "hex");
    return [cellAt(digest, 0), cellAt(digest, 8)];
  }
}

function cellAt(digits: string, start: number): number {
  return Number.parseInt(digits.slice(start, start + 8), 16) % CELLS;
}

function increment(row: Uint32Array, cell: number): number {
  const count = (row[cell] ?? 0) + 1;
  row[cell] = count;
  return count;
}
