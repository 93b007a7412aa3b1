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
import { Earned, isWithinLimit } from "./decide/limit.ts";
import { type PayingTerms, payingTermsOf } from "./facts/stored-fact.ts";
import { viewEarningSteps } from "./view.ts";

interface SimulatedPayment {
  paid_at: Date;
  revenue_minor: bigint;
  product_id: string | undefined;
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
  const earned = new Earned();
  const simulated = read.map((payment) => ({
    ...payment,
    ...simulatePayment(payment, { terms, earned, currency, fixed_currency }),
  }));
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
  const read = payments.map(({ paid_at, revenue_amount: amount, product_id }, index) => ({
    paid_at: new Date(paid_at),
    revenue_minor: amountToMinor({ path: `payments[${index}].revenue_amount`, amount, currency, issues }),
    product_id,
  }));
  return read.sort((one, other) => one.paid_at.getTime() - other.paid_at.getTime());
}

/** The commission of a payment after the `earned` ones, to which it is added. */
function simulatePayment(
  { paid_at, revenue_minor, product_id }: SimulatedPayment,
  {
    terms,
    earned,
    currency,
    fixed_currency,
  }: { terms: PayingTerms; earned: Earned; currency: string; fixed_currency: string },
): Simulated {
  const nothing = { commission_minor: 0n, steps: [] };
  if (!isWithinLimit(terms.limit, earned, paid_at)) return { outcome: "limit_reached", ...nothing };
  const lines = product_id === undefined ? [] : [{ product_id, amount_minor: revenue_minor }];
  const result = earn(
    { currency, revenue_minor, lines },
    { terms, is_first: earned.number === 0, fixed_currency },
  );
  if (result.outcome !== "commission") return { ...nothing, outcome: result.outcome, steps: result.steps };
  earned.add(paid_at, null);
  return result;
}
