import { router } from "../trpc.ts";
import { affiliates } from "./affiliates.ts";
import { campaigns } from "./campaigns.ts";
import { commissions } from "./commissions.ts";
import { events } from "./events.ts";
import { payouts } from "./payouts.ts";
import { portal_tokens } from "./portal-tokens.ts";
import { referrals } from "./referrals.ts";

/** Every operation of the API, on both surfaces. */
export const v1 = router({
  campaigns,
  affiliates,
  referrals,
  commissions,
  payouts,
  events,
  portal_tokens,
});

export type V1Router = typeof v1;
