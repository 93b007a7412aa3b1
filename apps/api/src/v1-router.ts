import { affiliate_rules, affiliate_tiers, affiliates } from "./affiliates/v1.ts";
import { backtests } from "./attribution/backtests.ts";
import { overrides } from "./attribution/overrides.ts";
import { campaigns } from "./campaigns/v1.ts";
import { commissions } from "./commissions/v1.ts";
import { referrals } from "./customers/v1.ts";
import { adjustments } from "./ledger/v1.ts";
import { payouts } from "./payouts/v1.ts";
import { portal_tokens } from "./portal/v1.ts";
import { v1_analytics } from "./reports/v1.ts";
import { conversions, discounts, leads } from "./tracking/v1.ts";
import { router } from "./trpc/trpc.ts";
import { events } from "./webhooks/v1.ts";

/** Every operation of the API, on both surfaces. */
export const v1 = router({
  campaigns,
  affiliates,
  affiliate_rules,
  affiliate_tiers,
  referrals,
  commissions,
  conversions,
  leads,
  discounts,
  adjustments,
  payouts,
  overrides,
  backtests,
  events,
  analytics: v1_analytics,
  portal_tokens,
});

export type V1Router = typeof v1;
