import { router } from "../trpc.ts";
import { affiliates } from "./affiliates.ts";
import { analytics } from "./analytics.ts";
import { api_keys } from "./api-keys.ts";
import { attention } from "./attention.ts";
import { balances } from "./balances.ts";
import { campaigns } from "./campaigns.ts";
import { changes } from "./changes.ts";
import { claims } from "./claims.ts";
import { commissions } from "./commissions.ts";
import { deliveries } from "./deliveries.ts";
import { endpoints } from "./endpoints.ts";
import { erasures } from "./erasures.ts";
import { events } from "./events.ts";
import { health } from "./health.ts";
import { invitations } from "./invitations.ts";
import { jobs } from "./jobs.ts";
import { ledger } from "./ledger.ts";
import { members, organization } from "./members.ts";
import { onboarding } from "./onboarding.ts";
import { payment_decisions } from "./payment-decisions.ts";
import { payments } from "./payments.ts";
import { payout_runs } from "./payout-runs.ts";
import { payouts } from "./payouts.ts";
import { portal } from "./portal.ts";
import { processor_lookups } from "./processor-lookups.ts";
import { processor_messages } from "./processor-messages.ts";
import { processors } from "./processors.ts";
import { promo_codes } from "./promo-codes.ts";
import { referrals } from "./referrals.ts";
import { replays } from "./replays.ts";
import { settings } from "./settings.ts";

/** The dashboard's own operations, which are not part of the API: on tRPC only. */
export const dashboard = router({
  endpoints,
  deliveries,
  replays,
  events,
  affiliates,
  referrals,
  campaigns,
  payments,
  payment_decisions,
  claims,
  commissions,
  api_keys,
  processors,
  processor_lookups,
  processor_messages,
  promo_codes,
  analytics,
  attention,
  onboarding,
  balances,
  jobs,
  ledger,
  payout_runs,
  payouts,
  settings,
  changes,
  erasures,
  members,
  invitations,
  organization,
  portal,
  health,
});
