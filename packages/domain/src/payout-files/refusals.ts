import type { Issue } from "@findersfee/contract/errors";
import { DomainError } from "../errors.ts";

/** More are counted only: nobody reads on. */
const NAMED = 20;
/** And from here on they are not even counted. */
const COUNTED = 10_000;

/** Lines of a file that are wrong, the first ones with their reasons. */
export class Refusals {
  private readonly named: Issue[] = [];
  private count = 0;

  /** Lines are counted from 1, and the header is one. Throws when so many are wrong that it is the wrong file. */
  add(line: number, message: string): void {
    this.count += 1;
    if (this.named.length < NAMED) this.named.push({ path: `line ${line}`, message });
    if (this.count >= COUNTED) this.throwAny();
  }

  /** Throws an `invalid_request` if any line is wrong. */
  throwAny(): void {
    if (this.count === 0) return;
    const lines =
      this.count === 1 ? "One line is" : `${this.count} lines${this.count < COUNTED ? "" : " or more"} are`;
    const message = `${lines} refused; nothing was changed.`;
    throw new DomainError("invalid_request", { message, issues: this.named });
  }
}

/** One line that makes all others meaningless. */
export function refuseFile(line: number, message: string): DomainError {
  const refusals = [{ path: `line ${line}`, message }];
  return new DomainError("invalid_request", {
    message: "The file cannot be read; nothing was changed.",
    issues: refusals,
  });
}
