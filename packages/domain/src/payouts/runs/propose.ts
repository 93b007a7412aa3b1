import type { PayoutRunProposal, ProposePayoutRun } from "@findersfee/contract/payouts/runs";
import { findSettings } from "@findersfee/database/organizations/settings";
import { findPayoutCalendar } from "@findersfee/database/payouts/calendar";
import { findNextNumber, findPayoutRun, proposePayouts } from "@findersfee/database/payouts/runs";
import type { Context } from "../../context.ts";
import { toMajor } from "../../money.ts";
import { needsApproval } from "./approval.ts";
import { periodOf } from "./calendar.ts";
import { chosenOf } from "./chosen.ts";
import { minimumsOf } from "./minimum.ts";
import { loadRunConversion } from "./rates.ts";
import { viewRates } from "./view-rates.ts";

/**
 * Computes the amounts that a run would pay now, to be confirmed. `startPayoutRun` with them pays that sum or
 * nothing.
 */
export async function proposePayoutRun(
  { database, organization }: Pick<Context, "database" | "organization">,
  input: ProposePayoutRun,
): Promise<PayoutRunProposal> {
  const as_of = new Date();
  const period = periodOf(await findPayoutCalendar(database, organization.id), as_of);
  const affiliate_ids = chosenOf(input.affiliate_ids);
  const [settings, run, next_number] = await Promise.all([
    findSettings(database, organization.id),
    findPayoutRun(database, organization.id, { period, number: 1 }),
    findNextNumber(database, organization.id, period),
  ]);
  const asked = { cutoff_at: as_of, affiliate_ids };
  const conversion = await loadRunConversion(database, organization.id, {
    ...asked,
    settings: { ...settings, minimum_payouts: minimumsOf(settings, affiliate_ids) },
  });
  const { affiliates, totals } = await proposePayouts(database, organization.id, { ...asked, ...conversion });
  const needs_approval = await needsApproval(database, organization.id, { totals, now: as_of });
  return {
    period,
    needs_approval,
    number: affiliate_ids === null && run === null ? 1 : next_number,
    as_of: as_of.toISOString(),
    affiliates,
    ...viewRates(conversion),
    totals: totals.map(({ currency, payouts, amount_minor }) => ({
      currency,
      payouts,
      amount: toMajor(amount_minor, currency),
    })),
  };
}
