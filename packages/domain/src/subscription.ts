import type { Context } from "./context.ts";
import { DomainError } from "./errors.ts";

/** The precondition of POST /commissions and POST /referrals only (docs/decisions.md, Requests). */
export function requireSubscription({ organization }: Context): void {
  const { subscription_status } = organization;
  if (subscription_status !== "active" && subscription_status !== "trialing") {
    throw new DomainError("subscription_error");
  }
}
