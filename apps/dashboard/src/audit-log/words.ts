import type { AuditResource } from "@findersfee/contract/audit-log";
import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import type { Joining } from "@findersfee/contract/campaigns/editing";
import type { CommissionPayoutStatus } from "@findersfee/contract/commissions/commissions";
import type { ReviewState } from "@findersfee/contract/commissions/reviews";
import type { ClaimState } from "@findersfee/contract/customers/claims";
import type { ApiKeyView } from "@findersfee/contract/identity/api-keys";
import type { Role } from "@findersfee/contract/identity/roles";
import type { OrganizationSettings } from "@findersfee/contract/organizations";
import type { Payout } from "@findersfee/contract/payouts/payouts";
import type { Endpoint } from "@findersfee/contract/webhooks/endpoints";
import type { JobState } from "@findersfee/contract/work";
import { labels } from "../attribution/outcome-texts.ts";
import { answer_words } from "../campaigns/editor/answer-words.ts";
import { words as campaign_words } from "../campaigns/editor/words.ts";
import { review_states } from "../commissions/review-states.ts";
import { state_words } from "../commissions/state-words.ts";
import { status_words as subscription_words } from "../customers/referrals/status-words.ts";
import { adjustment_states } from "../ledger/state-words.ts";
import { status_words } from "../payouts/status-words.ts";
import { language_names } from "../portal/language-names.ts";
import { mailName } from "../reports/health/mail-names.ts";
import { kind_names } from "../work/texts.ts";

type Words<Value extends string> = Readonly<Record<Value, string>>;

const ROLES: Words<Role> = { viewer: "Viewer", admin: "Admin", owner: "Owner" };

const METHODS: Words<Payout["method"]> = { manual: "Manual", paypal: "PayPal", wise: "Wise" };

/** The values of fields with fixed values, by resource and field. */
const WORDS: Partial<Record<AuditResource, Record<string, Record<string, string>>>> = {
  campaign: {
    commission_type: campaign_words.kinds,
    custom_commission_type: { none: "None", product: "By product" } satisfies Words<
      Campaign["custom_commission_type"]
    >,
    "custom_commissions.type": campaign_words.kinds,
    "first_payment_commission.type": campaign_words.kinds,
    "custom_fields.type": answer_words,
    limit_type: campaign_words.limits,
    code_mode: campaign_words.code_modes,
    attribution: campaign_words.attributions,
    customers: campaign_words.customer_scopes,
    review: campaign_words.reviews satisfies Words<Campaign["review"]>,
    joining: campaign_words.joinings satisfies Words<Joining>,
  },
  affiliate: { invitation: { open: "Open", accepted: "Accepted", not_theirs: "Not theirs" } },
  referral: { subscription_status: subscription_words },
  commission: {
    payout_status: {
      not_paid: "Not paid",
      pending: state_words.pending,
      paid: state_words.paid,
      voided: state_words.voided,
    } satisfies Words<CommissionPayoutStatus>,
    review_state: { none: "None", ...review_states } satisfies Words<ReviewState>,
  },
  adjustment: { payout_status: adjustment_states satisfies Words<CommissionPayoutStatus> },
  payout: {
    status: status_words satisfies Words<Payout["status"]>,
    method: METHODS,
  },
  payout_run: { method: METHODS, format: { paypal: "PayPal", wise: "Wise", csv: "All payouts (CSV)" } },
  payment_decision: { outcome: labels },
  api_key: {
    kind: { secret: "Secret", publishable: "Publishable" } satisfies Words<ApiKeyView["kind"]>,
  },
  endpoint: {
    disabled_reason: {
      operator: "By a person",
      gone: "Answered 410",
      failing: "Failed for 5 days",
      secret: "Secret unreadable",
    } satisfies Words<NonNullable<Endpoint["disabled_reason"]>>,
  },
  settings: {
    public_signups: {
      on: "All",
      signed: "Signed only",
      off: "None",
    } satisfies Words<OrganizationSettings["public_signups"]>,
  },
  organization: {
    subscription_status: {
      active: "Active",
      trialing: "Trial",
      past_due: "Past due",
      canceled: "Canceled",
    },
    languages: language_names,
  },
  member: { role: ROLES },
  single_sign_on: { default_role: ROLES },
  invitation: { role: ROLES, state: { open: "Open", accepted: "Accepted", revoked: "Revoked" } },
  job: {
    kind: kind_names,
    state: {
      running: "Running",
      finished: "Finished",
      failed: "Failed",
      canceled: "Canceled",
    } satisfies Words<JobState>,
  },
  claim: { state: { open: "Open", accepted: "Accepted", declined: "Declined" } satisfies Words<ClaimState> },
  mail: { state: { due: "Waiting", given_up: "Failed" } },
};

/** A field's value in words; null: the field has no fixed values. */
export function wordOf(resource: AuditResource, field: string, value: unknown): string | null {
  if (typeof value !== "string") return null;
  if (resource === "mail" && field === "kind") return mailName(value);
  // The beginning of its hash distinguishes two pictures.
  if (resource === "organization" && field === "logo") return `Picture ${value.slice(0, 8)}`;
  const words = WORDS[resource]?.[field];
  return words !== undefined && Object.hasOwn(words, value) ? (words[value] ?? null) : null;
}
