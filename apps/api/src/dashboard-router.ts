import { affiliates } from "./affiliates/dashboard.ts";
import { payment_decisions } from "./attribution/payment-decisions.ts";
import { payments } from "./attribution/payments.ts";
import { changes } from "./audit-log/changes.ts";
import { campaigns } from "./campaigns/dashboard.ts";
import { commissions } from "./commissions/dashboard.ts";
import { claims } from "./customers/claims.ts";
import { referrals } from "./customers/referrals.ts";
import { erasures } from "./erasure.ts";
import { exchange_rates } from "./exchange-rates.ts";
import { api_keys } from "./identity/api-keys.ts";
import { invitations } from "./identity/invitations.ts";
import { security_events } from "./identity/member-security-events.ts";
import { members, organization } from "./identity/members.ts";
import { saved_views } from "./identity/saved-views.ts";
import { security_policy } from "./identity/security-policies.ts";
import { single_sign_on } from "./identity/single-sign-on.ts";
import { adjustments } from "./ledger/adjustments.ts";
import { balances } from "./ledger/balances.ts";
import { ledger } from "./ledger/entries.ts";
import { notifications } from "./mails/notifications.ts";
import { onboarding } from "./onboarding.ts";
import { settings } from "./organizations.ts";
import { payouts } from "./payouts/dashboard.ts";
import { payout_runs } from "./payouts/runs.ts";
import { portal } from "./portal/dashboard.ts";
import { processors } from "./processors/connections.ts";
import { processor_lookups } from "./processors/lookups.ts";
import { processor_messages } from "./processors/messages.ts";
import { promo_codes } from "./processors/promo-codes.ts";
import { analytics } from "./reports/analytics.ts";
import { attention } from "./reports/attention.ts";
import { health } from "./reports/health.ts";
import { search } from "./search.ts";
import { router } from "./trpc/trpc.ts";
import { deliveries } from "./webhooks/deliveries.ts";
import { endpoints } from "./webhooks/endpoints.ts";
import { events } from "./webhooks/events.ts";
import { replays } from "./webhooks/replays.ts";
import { jobs } from "./work.ts";

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
  adjustments,
  balances,
  jobs,
  ledger,
  payout_runs,
  payouts,
  settings,
  exchange_rates,
  changes,
  erasures,
  members,
  security_events,
  security_policy,
  invitations,
  notifications,
  saved_views,
  organization,
  single_sign_on,
  portal,
  health,
  search,
});
