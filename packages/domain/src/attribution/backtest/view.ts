import type { BacktestResult, BacktestSummary } from "@findersfee/contract/attribution/backtests";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import {
  type BacktestAffiliateRow,
  type BacktestMonthRow,
  type BacktestRow,
  findBacktest,
} from "@findersfee/database/attribution/backtests";
import type { Connection } from "@findersfee/database/postgres/connect";
import { notFound } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { type StoredDraft, storedDraft } from "./draft.ts";
import type { Findings } from "./findings.ts";

/** Errors: `not_found`. */
export async function requireBacktest(
  sql: Connection,
  organization_id: string,
  id: string,
): Promise<BacktestRow> {
  const row = await findBacktest(sql, organization_id, id);
  if (row === null) throw notFound("backtest");
  return row;
}

/** A backtest without its result. */
export function viewSummary(row: BacktestRow): BacktestSummary {
  const { from, until, campaign, affiliate_rules } = storedDraft.parse(row.input);
  return {
    id: row.id,
    state: row.state,
    campaign_id: campaign?.campaign_id ?? null,
    affiliates: new Set(affiliate_rules.flatMap(({ affiliate_ids }) => affiliate_ids)).size,
    from,
    until,
    done: row.done,
    total: row.total,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  };
}

/** Affiliates by the largest difference of their commissions. */
export async function viewResult(
  sql: Connection,
  organization_id: string,
  {
    draft,
    findings,
    months,
    affiliates,
  }: {
    draft: Pick<StoredDraft, "unrecorded_metadata">;
    findings: Findings;
    months: readonly BacktestMonthRow[];
    affiliates: readonly BacktestAffiliateRow[];
  },
): Promise<BacktestResult> {
  const ids = [...new Set(affiliates.map(({ affiliate_id }) => affiliate_id))];
  const rows = ids.length === 0 ? [] : await findAffiliates(sql, organization_id, ids);
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  const viewAffiliate = (row: BacktestAffiliateRow) => ({
    affiliate_id: row.affiliate_id,
    email: emails.get(row.affiliate_id) ?? "",
    currency: row.currency,
    ...viewCost(row),
  });
  return {
    payments: findings.payments,
    changed_payments: findings.changed,
    months: months.map((row) => ({
      month: row.month.slice(0, 7),
      currency: row.currency,
      ...viewCost(row),
    })),
    losing: affiliates.filter((row) => row.after_minor < row.before_minor).map(viewAffiliate),
    gaining: affiliates.filter((row) => row.after_minor > row.before_minor).map(viewAffiliate),
    examples: findings.examples.map(viewExample),
    reviews: Object.entries(findings.reviews)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { before, after }]) => ({
        currency,
        before_payments: before.payments,
        before_amount: toMajor(before.minor, currency),
        after_payments: after.payments,
        after_amount: toMajor(after.minor, currency),
      })),
    unrecorded_metadata: draft.unrecorded_metadata,
    payments_without_interval: findings.without_interval,
  };
}

function viewCost({
  currency,
  payments,
  before_minor,
  after_minor,
}: Pick<BacktestMonthRow, "currency" | "payments" | "before_minor" | "after_minor">) {
  return {
    payments,
    before_amount: toMajor(before_minor, currency),
    after_amount: toMajor(after_minor, currency),
  };
}

function viewExample({
  decision_id,
  payment_id,
  revenue_minor,
  before,
  after,
  ...example
}: Findings["examples"][number]): BacktestResult["examples"][number] {
  const { currency } = example;
  const viewDecided = ({ outcome, commission_minor }: typeof before) => ({
    outcome,
    commission_amount: toMajor(commission_minor, currency),
  });
  return {
    ...example,
    payment_decision_id: decision_id,
    processor_payment_id: payment_id,
    revenue_amount: toMajor(revenue_minor, currency),
    before: viewDecided(before),
    after: viewDecided(after),
  };
}
