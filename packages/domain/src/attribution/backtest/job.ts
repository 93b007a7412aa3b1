import {
  addToBacktest,
  type BacktestTotal,
  countTriedPayments,
  findBacktest,
} from "@findersfee/database/attribution/backtests";
import { z } from "zod";
import { notFound } from "../../errors.ts";
import type { JobKind } from "../../work/jobs/kind.ts";
import { addToTotals } from "./decide.ts";
import { readDraft, type StoredDraft, storedDraft } from "./draft.ts";
import { findingsSchema, withPayments, writeFindings } from "./findings.ts";
import { FIRST_CUSTOMER, tryPage } from "./page.ts";
import { findStoredTiers, measureDays } from "./tiers.ts";

/** The tiers of a draft come first. */
const positionSchema = z.union([z.object({ day: z.string() }), z.object({ after: z.string() })]).nullable();

/** Tries a draft on past payments, a page of customers at a step. It writes only its results. */
export const backtest: JobKind<StoredDraft> = {
  input: storedDraft,
  file: null,
  sees_one_moment: true,
  async step({ sql, job_id, organization, input, position, done }) {
    const draft = readDraft(input, organization.currency);
    const row = await findBacktest(sql, organization.id, job_id);
    if (row === null) throw notFound("backtest");
    const start = positionSchema.parse(position);
    const tiers = draft.campaign?.tiers;
    if (tiers != null && (start === null || "day" in start)) {
      const day = await measureDays(sql, organization, { job_id, draft, tiers, after: start?.day ?? null });
      return { position: day === null ? { after: FIRST_CUSTOMER } : { day }, done };
    }
    const after = start !== null && "after" in start ? start.after : FIRST_CUSTOMER;
    const findTiers = (affiliate_ids: string[]) =>
      findStoredTiers(sql, organization.id, { backtest_id: job_id, affiliate_ids });
    const page = await tryPage(sql, organization, { draft, after, findTiers });
    const totals = new Map<string, BacktestTotal>();
    for (const payment of page.payments) addToTotals(totals, payment);
    const findings = withPayments(findingsSchema.parse(row.findings), page.payments, draft);
    await addToBacktest(sql, organization.id, {
      id: job_id,
      totals: [...totals.values()],
      findings: writeFindings(findings),
    });
    const all_done = done + page.done;
    return {
      position: page.next === null ? null : { after: page.next },
      done: all_done,
      counts: { changed: findings.changed },
      ...(page.next === null && { total: all_done }),
      ...(after === FIRST_CUSTOMER &&
        page.next !== null && { total: await countTriedPayments(sql, organization.id, draft.period) }),
    };
  },
};
