import type { Database } from "@findersfee/database/postgres/connect";

/** A part of the statement that reads due deliveries. */
const READ = "and owned.token = query.token";
/** A part of the statement that searches all owned shards for pending deliveries. */
export const SEARCH = "recursive pair";

/** A database that answers reads of deliveries when the test says so. All else goes to the real one. */
export class HeldReads {
  readonly database: Database;
  /** Reads that Postgres has answered and the test holds. */
  held = 0;
  #is_holding = false;
  #release: () => void = () => {};
  #released: Promise<void> = Promise.resolve();

  /** `part`: a part of the text of the statements to hold. */
  constructor(real: Database, part: typeof READ | typeof SEARCH = READ) {
    this.database = new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== "unsafe") return value;
        return (...parts: Parameters<Database["unsafe"]>) => {
          const answer = target.unsafe(...parts);
          return parts[0].includes(part) ? this.#hold(answer) : answer;
        };
      },
    });
  }

  /** Holds the answers from now on. */
  hold(): void {
    this.#is_holding = true;
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#is_holding = false;
    this.#release();
  }

  async #hold<Answer>(query: PromiseLike<Answer>): Promise<Answer> {
    // Only reads from now on: an earlier one could block the test.
    const is_held = this.#is_holding;
    const answer = await query;
    if (!is_held) return answer;
    this.held += 1;
    await this.#released;
    this.held -= 1;
    return answer;
  }
}
