import { MAX_CLAIMS_PER_DAY } from "@findersfee/contract/customers/claim-limits";
import type { Claim } from "./queries.ts";

const DAY_MILLISECONDS = 86_400_000;

/** The time from which another claim is possible; null: it is now. `claims` are the newest first. */
export function possibleFrom(claims: readonly Pick<Claim, "created_at">[], now: number): Date | null {
  const first = claims[MAX_CLAIMS_PER_DAY - 1];
  if (first === undefined) return null;
  const from = Date.parse(first.created_at) + DAY_MILLISECONDS;
  return from > now ? new Date(from) : null;
}
