import type { Context } from "./context.ts";
import { DomainError } from "./errors.ts";

/** What POST /commissions and POST /referrals need, and they alone (docs/decisions.md, Requests). */
export function requireSubscription({ organization }: Context): void {
  const { subscription_status } = organization;
  if (subscription_status !== "active" && subscription_status !== "trialing") {
    throw new DomainError("subscription_error");
  }
}
