import type { Context } from "./context.ts";
import { DomainError } from "./errors.ts";

/** spec.md, Authentication 2: POST /commissions and POST /referrals need an active or trialing subscription. */
export function requireSubscription({ organization }: Context): void {
  const { subscription_status } = organization;
  if (subscription_status !== "active" && subscription_status !== "trialing") {
    throw new DomainError("subscription_error");
  }
}
