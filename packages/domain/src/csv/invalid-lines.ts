import type { Issue } from "@findersfee/contract/errors";
import { DomainError } from "../errors.ts";

/** Further errors are only counted. */
const NAMED = 20;
/** Counting stops here. */
const COUNTED = 10_000;

/** The invalid lines of a file, the first ones with their reasons. */
export class InvalidLines {
  private readonly named: Issue[] = [];
  private count = 0;

  /**
   * Adds a line; lines count from 1, including the header. Throws at the limit, because then the whole file is wrong.
   */
  add(line: number, message: string): void {
    this.count += 1;
    if (this.named.length < NAMED) this.named.push({ path: `line ${line}`, message });
    if (this.count >= COUNTED) this.throwAny();
  }

  /** Throws an `invalid_request` if any line is invalid. */
  throwAny(): void {
    if (this.count === 0) return;
    const lines =
      this.count === 1 ? "One line is" : `${this.count} lines${this.count < COUNTED ? "" : " or more"} are`;
    const message = `${lines} refused; nothing was changed.`;
    throw new DomainError("invalid_request", { message, issues: this.named });
  }
}

/** An error in one line that makes the file unreadable. */
export function refuseFile(line: number, message: string): DomainError {
  const issues = [{ path: `line ${line}`, message }];
  return new DomainError("invalid_request", {
    message: "The file cannot be read; nothing was changed.",
    issues,
  });
}
