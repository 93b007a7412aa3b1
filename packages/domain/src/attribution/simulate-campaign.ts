import type { SimulateCampaign, Simulation } from "@findersfee/contract/campaigns/editing";
import type { Issue } from "@findersfee/contract/errors";
import {
  DEFAULT_SETTINGS,
  mergeSettings,
  type PayingSettings,
  payingToValues,
} from "../campaigns/settings.ts";
import type { OrganizationContext } from "../context.ts";
import { requireNoIssues } from "../errors.ts";
import { amountToMinor, toMajor } from "../money.ts";
import { type EarningStep, earn } from "./decide/earn.ts";
import { combineEarnings, Earned, isWithinLimit } from "./decide/limit.ts";
import { type Rule, rulesOf } from "./decide/rules.ts";
import { type PayingTerms, payingTermsOf } from "./facts/stored-fact.ts";
import { viewEarningSteps } from "./view.ts";

interface SimulatedPayment
  extends Pick<
    SimulateCampaign["payments"][number],
    "product_id" | "interval" | "country" | "metadata" | "promo_code" | "tier"
  > {
  paid_at: Date;
  revenue_minor: bigint;
}

interface Simulated {
  outcome: Simulation["payments"][number]["outcome"];
  commission_minor: bigint;
  steps: EarningStep[];
}

/**
 * The commissions of one referral's payments by a draft of a campaign, calculated by the functions that pay real ones. It
 * reads and writes nothing. Errors: `invalid_request` with all issues, at paths of the input.
 */
export function simulateCampaign(
  { organization }: { organization: Pick<OrganizationContext, "currency"> },
  { draft, currency = organization.currency, payments }: SimulateCampaign,
): Simulation {
  const fixed_currency = organization.currency;
  const { values, issues: wrong } = payingToValues(settingsOf(draft), fixed_currency);
  const issues: Issue[] = wrong.map(({ path, message }) => ({ path: `draft.${path}`, message }));
  const read = readPayments(payments, currency, issues);
  requireNoIssues(issues);
  const terms = payingTermsOf(values);
  const simulating = {
    terms,
    rules: rulesOf(terms, [values.rules]),
    earned: new Earned(),
    excluded: new Earned(),
    currency,
    fixed_currency,
  };
  const simulated = read.map((payment) => ({ ...payment, ...simulatePayment(payment, simulating) }));
  const sumOf = (amounts: bigint[]) =>
    toMajor(
      amounts.reduce((sum, minor) => sum + minor, 0n),
      currency,
    );
  return {
    currency,
    payments: simulated.map(({ paid_at, revenue_minor, outcome, commission_minor, steps }) => ({
      paid_at: paid_at.toISOString(),
      revenue_amount: toMajor(revenue_minor, currency),
      outcome,
      commission_amount: toMajor(commission_minor, currency),
      steps: viewEarningSteps({ steps }, { currency, fixed_currency }),
    })),
    revenue_amount: sumOf(simulated.map(({ revenue_minor }) => revenue_minor)),
    commission_amount: sumOf(simulated.map(({ commission_minor }) => commission_minor)),
  };
}

function settingsOf({
  commission_type,
  commission_amount,
  ...given
}: SimulateCampaign["draft"]): PayingSettings {
  const { limit_type, limit_amount, custom_commission_type, first_payment_commission, commission_cap } =
    DEFAULT_SETTINGS;
  return mergeSettings<PayingSettings>(
    {
      commission_type,
      commission_amount,
      limit_type,
      limit_amount,
      custom_commission_type,
      custom_commissions: [],
      first_payment_commission,
      commission_cap,
      rules: [],
    },
    given,
  );
}

/** The payments, oldest first. */
function readPayments(
  payments: SimulateCampaign["payments"],
  currency: string,
  issues: Issue[],
): SimulatedPayment[] {
  const read = payments.map(({ paid_at, revenue_amount: amount, ...conditions }, index) => ({
    ...conditions,
    paid_at: new Date(paid_at),
    revenue_minor: amountToMinor({ path: `payments[${index}].revenue_amount`, amount, currency, issues }),
  }));
  return read.sort((one, other) => one.paid_at.getTime() - other.paid_at.getTime());
}

interface Simulating {
  terms: PayingTerms;
  rules: readonly Rule[];
  /** The payments before that earned. */
  earned: Earned;
  /** Those that rules gave nothing. */
  excluded: Earned;
  currency: string;
  fixed_currency: string;
}

/** The commission of a payment after the former ones, to which it is added. */
function simulatePayment(
  { paid_at, revenue_minor, product_id, interval, country, metadata, promo_code, tier }: SimulatedPayment,
  { terms, rules, earned, excluded, currency, fixed_currency }: Simulating,
): Simulated {
  const nothing = { commission_minor: 0n, steps: [] };
  if (!isWithinLimit(terms.limit, earned, paid_at)) return { outcome: "limit_reached", ...nothing };
  const is_line = product_id !== undefined || interval !== undefined;
  const line = {
    product_id: product_id ?? null,
    amount_minor: revenue_minor,
    ...(interval !== undefined && { interval }),
  };
  const lines = is_line ? [line] : [];
  const counted = combineEarnings(earned, excluded);
  const result = earn(
    { currency, revenue_minor, lines },
    {
      is_first: earned.number === 0,
      number: counted.number + 1,
      paid_at,
      first_at: counted.first_at,
      country: country ?? null,
      currency,
      revenue_minor,
      metadata: metadata ?? {},
      promo_codes: promo_code === undefined ? [] : [promo_code],
      tier: tier?.toLowerCase() ?? null,
    },
    { rules, commission_cap: terms.commission_cap, fixed_currency, exchange_rates: null },
  );
  if (result.outcome === "product_excluded" || result.outcome === "excluded_by_rule")
    excluded.add(paid_at, null);
  if (result.outcome !== "commission") return { ...nothing, outcome: result.outcome, steps: result.steps };
  earned.add(paid_at, null);
  return result;
}
