import type { PayoutRunSummary, PreviewOutcome, PreviewTotal } from "@findersfee/contract/payouts/runs";
import { findSettings, type SettingsRow } from "@findersfee/database/organizations/settings";
import { findPayoutCalendar } from "@findersfee/database/payouts/calendar";
import type { PreviewTotalsRow } from "@findersfee/database/payouts/previews";
import { findPayoutRun } from "@findersfee/database/payouts/runs";
import type { Context } from "../../context.ts";
import { toMajor } from "../../money.ts";
import { needsApproval } from "./approval.ts";
import { nextRunOn, periodOf } from "./calendar.ts";
import { minimumIn } from "./minimum.ts";
import { readPreview } from "./read-preview.ts";
import { viewApproval } from "./view.ts";

/** Sums up the preview of the next run: amounts to pay, and amounts carried forward by reason, in each currency. */
export async function summarizePayoutRun(context: Context): Promise<PayoutRunSummary> {
  const { database, organization } = context;
  const now = new Date();
  const preview = await readPreview(context);
  const calendar = await findPayoutCalendar(database, organization.id);
  const period = periodOf(calendar, now);
  const [settings, run] = await Promise.all([
    findSettings(database, organization.id),
    findPayoutRun(database, organization.id, { period, number: 1 }),
  ]);
  const included = preview.totals.filter(({ part }) => part === "included");
  const totals = included.map(({ currency, amount_minor }) => ({
    currency,
    amount_minor: BigInt(amount_minor),
  }));
  return {
    needs_approval: await needsApproval(database, organization.id, { totals, now }),
    as_of: preview.captured_at.toISOString(),
    period,
    next_run_on: nextRunOn(calendar, now),
    run:
      run === null
        ? null
        : {
            id: run.id,
            started_by: run.started_by,
            started_by_name: run.started_by_name,
            created_at: run.created_at.toISOString(),
            finished_at: run.finished_at?.toISOString() ?? null,
            approval: viewApproval(run),
          },
    payees: preview.payees,
    affiliates: preview.affiliates,
    totals: viewTotals(preview.totals, settings),
  };
}

function viewTotals(totals: readonly PreviewTotalsRow[], { minimum_payouts }: SettingsRow): PreviewTotal[] {
  const currencies = [...new Set(totals.map(({ currency }) => currency))];
  return currencies.map((currency) => {
    const partOf = (part: PreviewOutcome) => {
      const found = totals.find((total) => total.currency === currency && total.part === part);
      return {
        payees: found?.payees ?? 0,
        amount: toMajor(BigInt(found?.amount_minor ?? 0), currency),
      };
    };
    return {
      currency,
      minimum: toMajor(minimumIn(currency, minimum_payouts), currency),
      included: partOf("included"),
      held: partOf("held"),
      below_minimum: partOf("below_minimum"),
      negative: partOf("negative"),
      withheld: partOf("withheld"),
    };
  });
}
