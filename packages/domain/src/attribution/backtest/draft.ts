import { backtestDraft } from "@findersfee/contract/attribution/backtests";
import { commissionRuleInput } from "@findersfee/contract/campaigns/rules";
import type { BacktestPeriod } from "@findersfee/database/attribution/backtests";
import type { StoredRule } from "@findersfee/database/campaigns/rule-sets";
import type { TiersRow } from "@findersfee/database/rows";
import { z } from "zod";
import { rulesToStored } from "../../campaigns/rules/read.ts";
import { payingToValues, reviewsToValues } from "../../campaigns/settings.ts";
import { tiersToStored } from "../../campaigns/tiers/read.ts";
import { requireNoIssues } from "../../errors.ts";
import type { ReviewSettings } from "../../ledger/review.ts";
import type { CustomerHistory } from "../decide/history.ts";
import {
  type AffiliateSnapshot,
  type PayingTerms,
  payingTermsOf,
  type TierChanges,
} from "../facts/stored-fact.ts";
import type { LoadedExchangeRates } from "../write/load-exchange-rates.ts";

const drafted_campaign = backtestDraft.shape.campaign.unwrap();

/** A draft with all settings of its campaign, as its job stores it. */
export const storedDraft = z.object({
  from: z.string(),
  until: z.string(),
  campaign: drafted_campaign.required().extend({ tiers: drafted_campaign.shape.tiers }).nullable(),
  /** Of the campaign's tiers if they are not drafted: they precede the draft's rules. */
  tier_rules: z.array(commissionRuleInput).default([]),
  /** The campaign's settings as they are; null: no campaign is drafted. */
  reviewed_now: drafted_campaign
    .pick({ review: true, review_above_amount: true, review_approve_after_days: true })
    .required()
    .nullable()
    .default(null),
  affiliate_rules: backtestDraft.shape.affiliate_rules.unwrap(),
  /** Keys that its rules name and that were not recorded in the whole period; null: never. */
  unrecorded_metadata: z.array(z.object({ key: z.string(), recorded_since: z.string().nullable() })),
});

export type StoredDraft = z.output<typeof storedDraft>;

/** The names of its sets of rules; stored sets have ids as names. */
const CAMPAIGN_RULES = "draft of campaign";
const ownRules = (affiliate_id: string) => `draft of affiliate ${affiliate_id}`;

const BEFORE_ALL = new Date(0);

/** A draft as payments are decided by it. */
export interface Draft {
  period: BacktestPeriod;
  /** Null: no campaign is drafted. */
  campaign: {
    id: string;
    terms: PayingTerms & { skip_prorations: boolean };
    /** Null: none. Undefined: payments keep the tiers that they were decided with. */
    tiers: TiersRow | null | undefined;
    reviews: { before: ReviewSettings; after: ReviewSettings };
  } | null;
  /** Affiliates with drafted rules of their own. */
  affiliates: ReadonlySet<string>;
  /** The rules by the names of the sets. */
  rules: ReadonlyMap<string, readonly StoredRule[]>;
  /** Whether any rule asks how lines are billed. */
  names_intervals: boolean;
}

/** `currency` is the organization's. Errors: `invalid_request` for rates and rules, at paths of the draft. */
export function readDraft(
  { from, until, campaign: settings, tier_rules, reviewed_now, affiliate_rules }: StoredDraft,
  currency: string,
): Draft {
  const issues = [];
  const rules = new Map<string, readonly StoredRule[]>();
  let campaign: Draft["campaign"] = null;
  if (settings !== null) {
    const { campaign_id, skip_prorations, tiers, ...others } = settings;
    const { review, review_above_amount, review_approve_after_days, ...paying } = others;
    const { values, issues: wrong } = payingToValues(paying, currency);
    const of_tiers = tiersToStored(tiers ?? null, currency);
    const after = reviewsToValues({ review, review_above_amount, review_approve_after_days }, currency);
    issues.push(
      ...[...wrong, ...of_tiers.issues, ...after.issues].map(({ path, message }) => ({
        path: `campaign.${path}`,
        message,
      })),
    );
    const tiers_now = rulesToStored(tier_rules, "campaign.tiers").values;
    rules.set(CAMPAIGN_RULES, [...tiers_now, ...of_tiers.rules, ...values.rules]);
    campaign = {
      id: campaign_id.toLowerCase(),
      terms: { ...payingTermsOf(values), skip_prorations },
      tiers: tiers === undefined ? undefined : of_tiers.values,
      reviews: {
        before: reviewed_now === null ? after.values : reviewsToValues(reviewed_now, currency).values,
        after: after.values,
      },
    };
  }
  const affiliates = new Set<string>();
  for (const [index, own] of affiliate_rules.entries()) {
    const { values, issues: wrong } = rulesToStored(own.rules, `affiliate_rules[${index}].rules`);
    issues.push(...wrong);
    for (const id of own.affiliate_ids.map((item) => item.toLowerCase())) {
      affiliates.add(id);
      rules.set(ownRules(id), values);
    }
  }
  requireNoIssues(issues);
  const all = [...rules.values()].flat();
  return {
    period: { from: new Date(from), until: new Date(until) },
    campaign,
    affiliates,
    rules,
    names_intervals: all.some(({ conditions }) => conditions.intervals !== undefined),
  };
}

/** Whether the draft decides the payments of an affiliate with these terms, within its period. */
export function isDrafted(
  { campaign, affiliates }: Draft,
  { affiliate_id, terms }: AffiliateSnapshot,
): boolean {
  return terms.campaign_id === campaign?.id || affiliates.has(affiliate_id);
}

/** Whether a payment was made in the period of the draft. */
export function isInPeriod({ period: { from, until } }: Draft, paid_at: Date): boolean {
  return from <= paid_at && paid_at < until;
}

/** The data that payments of a draft look up. */
export interface DraftSources {
  exchange_rates: LoadedExchangeRates;
  /** The changes of an affiliate's tier by the draft's tiers, oldest first. */
  tiersOf: (affiliate_id: string) => TierChanges;
}

/**
 * Applies the draft's terms to the payments of its period in a customer's history, converted by the current
 * setting and rates. The referring affiliate stays.
 */
export function withDraft(
  history: CustomerHistory,
  draft: Draft,
  { exchange_rates: { converts_fixed_amounts, exchangeRatesOf }, tiersOf }: DraftSources,
): CustomerHistory {
  return {
    ...history,
    drafted: (affiliate, paid_at) =>
      isInPeriod(draft, paid_at)
        ? withTerms(affiliate, draft, { converts_fixed_amounts, tiersOf })
        : affiliate,
    ruleSetOf: (id) => draft.rules.get(id) ?? history.ruleSetOf(id),
    exchangeRatesOf: (payment, decided) =>
      isInPeriod(draft, payment.paid_at) && isDrafted(draft, decided.affiliate)
        ? exchangeRatesOf(payment)
        : history.exchangeRatesOf(payment, decided),
  };
}

function withTerms(
  affiliate: AffiliateSnapshot,
  draft: Draft,
  { converts_fixed_amounts, tiersOf }: { converts_fixed_amounts: boolean } & Pick<DraftSources, "tiersOf">,
): AffiliateSnapshot {
  const { campaign, affiliates } = draft;
  const { affiliate_id, terms } = affiliate;
  return {
    ...affiliate,
    ...(terms.campaign_id === campaign?.id && {
      terms: { ...terms, ...campaign.terms, rule_set_id: CAMPAIGN_RULES, converts_fixed_amounts },
      ...(campaign.tiers !== undefined && { tiers: tiersOf(affiliate_id) }),
    }),
    ...(affiliates.has(affiliate_id) && {
      rule_sets: [{ starts_at: BEFORE_ALL, id: ownRules(affiliate_id) }],
    }),
  };
}
