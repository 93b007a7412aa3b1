import {
  SINGLE_SIGN_ON_FAILURES,
  type SingleSignOnFailure,
} from "@findersfee/contract/identity/single-sign-on-failures";
import { DomainError } from "../../errors.ts";

/** Single sign-on that did not work. The message is for the person; the rest is for the log, and has no token. */
export class SingleSignOnError extends DomainError {
  readonly reason: SingleSignOnFailure;
  /** Null: no organization was found. */
  readonly organization_id: string | null;
  readonly facts: string;

  constructor(
    reason: SingleSignOnFailure,
    { organization_id = null, facts = "" }: { organization_id?: string | null; facts?: string } = {},
  ) {
    super("single_sign_on_failed", { message: SINGLE_SIGN_ON_FAILURES[reason], details: { reason } });
    this.reason = reason;
    this.organization_id = organization_id;
    this.facts = facts;
  }
}
