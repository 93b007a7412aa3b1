import {
  type Backtest,
  type BacktestSummary,
  type ListBacktests,
  MAX_AFFILIATES,
} from "@findersfee/contract/attribution/backtests";
import type { Page } from "@findersfee/contract/pages";
import {
  countBacktests,
  listBacktestAffiliates,
  listBacktestMonths,
  listBacktests as listRows,
} from "@findersfee/database/attribution/backtests";
import type { Context } from "../../context.ts";
import { readPage } from "../../pages.ts";
import { storedDraft } from "./draft.ts";
import { findingsSchema } from "./findings.ts";
import { requireBacktest, viewResult, viewSummary } from "./view.ts";

/** One backtest, with its result once it has finished. Errors: `not_found`. */
export async function getBacktest({ database, organization }: Context, id: string): Promise<Backtest> {
  const row = await requireBacktest(database, organization.id, id);
  const summary = viewSummary(row);
  if (row.state !== "finished") return { ...summary, result: null };
  const result = await viewResult(database, organization.id, {
    draft: storedDraft.parse(row.input),
    findings: findingsSchema.parse(row.findings),
    months: await listBacktestMonths(database, organization.id, id),
    affiliates: await listBacktestAffiliates(database, organization.id, { id, most: MAX_AFFILIATES }),
  });
  return { ...summary, result };
}

/** The last backtests, newest first, without their results. */
export async function listBacktests(
  { database, organization }: Context,
  query: ListBacktests,
): Promise<Page<BacktestSummary>> {
  return await readPage(query, {
    read: (range) => listRows(database, organization.id, range),
    count: () => countBacktests(database, organization.id),
    view: viewSummary,
  });
}
