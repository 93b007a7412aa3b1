import type { StartedPayoutRun, StartPayoutRun } from "@findersfee/contract/payouts/runs";
import { lockSettings } from "@findersfee/database/organizations/settings";
import { insertApprovalMails } from "@findersfee/database/payouts/approvals";
import { findPayoutCalendar, type PayoutCalendarRow } from "@findersfee/database/payouts/calendar";
import { listRunTotals } from "@findersfee/database/payouts/run-totals";
import {
  findNextNumber,
  findPayoutRun,
  findUnfinishedRun,
  insertPayoutRun,
  type PayoutRunRow,
  type PayoutRunWithCountRow,
  proposePayouts,
} from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { actorText } from "../../actor.ts";
import { writeAuditEntry } from "../../audit-log/write.ts";
import type { Context } from "../../context.ts";
import { DomainError, invalidField } from "../../errors.ts";
import { newId } from "../../ids.ts";
import { inTransaction } from "../../transaction.ts";
import { approvalOfNew } from "./approval.ts";
import { periodOf } from "./calendar.ts";
import { chosenOf, requireChosen } from "./chosen.ts";
import { confirmedToRow, requireConfirmed } from "./confirmed.ts";
import { minimumsOf } from "./minimum.ts";
import { loadRunConversion, type RunConversion } from "./rates.ts";
import { payoutRunFields, viewPayoutRun } from "./view.ts";

/** The input that starts a run. */
type Asked = Pick<
  PayoutRunRow,
  "period" | "number" | "affiliate_ids" | "confirmed" | "cutoff_at" | "time_zone" | "method"
>;

/**
 * Starts a payout run with the organization's current settings; `pay.ts` creates the payouts, in the worker.
 * A run is named by its month and its number there: a run that exists is returned unchanged, so the same
 * request can be repeated.
 *
 * Above the amounts of the organization's policy, the run waits until another member approves it
 * (`approval.ts`). The members who can approve it get a mail.
 *
 * Errors: `payout_locked` for a month before one that has its run, for a number that another run of the month
 * has, for a further run while one is in progress, and if the confirmed amounts differ from the run's;
 * `invalid_request` for a future month, a number that is not the next one, and unknown affiliates.
 */
export async function startPayoutRun(
  context: Context,
  input: StartPayoutRun,
  now: Date = new Date(),
): Promise<StartedPayoutRun> {
  const organization_id = context.organization.id;
  return await inTransaction(context, async (sql) => {
    // Locked: if two starts are concurrent, the second one sees the first, and a change of the time zone
    // waits.
    const settings = await lockSettings(sql, organization_id);
    const calendar = await findPayoutCalendar(sql, organization_id);
    const asked = readAsked(input, { calendar, now });
    const { period, number } = asked;
    const existing = await findPayoutRun(sql, organization_id, { period, number });
    if (existing !== null) {
      requireSame(existing, asked);
      await notifyWorkers(sql, "payout_runs", [organization_id]);
      return { ...(await view(sql, organization_id, existing)), is_new: false };
    }
    const conversion = await loadRunConversion(sql, organization_id, {
      ...asked,
      settings: { ...settings, minimum_payouts: minimumsOf(settings, asked.affiliate_ids) },
    });
    await requireStartable(sql, organization_id, { asked, conversion, calendar });
    const id = newId(now);
    const { minimum_payouts, exchange_rates, missing_rates } = conversion;
    const propose = async () =>
      (await proposePayouts(sql, organization_id, { ...asked, ...conversion })).totals;
    const approval = await approvalOfNew(sql, context, { confirmed: asked.confirmed, propose, now });
    await insertPayoutRun(sql, organization_id, {
      ...asked,
      ...approval,
      id,
      minimum_payouts,
      exchange_rates,
      missing_rates,
      currency: settings.currency,
      started_by: actorText(context.actor),
      created_at: now,
    });
    const run = await findPayoutRun(sql, organization_id, { id });
    if (run === null) throw new Error(`the payout run ${number} of ${period} was not written`);
    await notifyWorkers(sql, "payout_runs", [organization_id]);
    if (run.approval === "waiting") await mailApprovers(sql, run, organization_id);
    const started = await view(sql, organization_id, run);
    const after = payoutRunFields(started);
    await writeAuditEntry(sql, context, {
      resource: "payout_run",
      id,
      action: "created",
      before: null,
      after,
    });
    return { ...started, is_new: true };
  });
}

/** Mails everybody who can approve a run that waits. */
async function mailApprovers(
  sql: Connection,
  { id, starter_id }: PayoutRunRow,
  organization_id: string,
): Promise<void> {
  await insertApprovalMails(sql, organization_id, { run_id: id, starter_id });
  await notifyWorkers(sql, "mails", [organization_id]);
}

function readAsked(
  { period, number = 1, affiliate_ids, confirmed, method }: StartPayoutRun,
  { calendar, now }: { calendar: PayoutCalendarRow; now: Date },
): Asked {
  const current = periodOf(calendar, now);
  const asked: Asked = {
    period: period ?? current,
    number,
    affiliate_ids: chosenOf(affiliate_ids),
    confirmed: confirmed === undefined ? null : confirmedToRow(confirmed),
    cutoff_at: confirmed === undefined ? now : new Date(confirmed.as_of),
    time_zone: calendar.time_zone,
    method,
  };
  if (asked.period > current) throw invalidField("period", "Must not be in the future.");
  if (asked.cutoff_at > now) throw invalidField("confirmed.as_of", "Must not be in the future.");
  if (asked.affiliate_ids !== null && number === 1) {
    throw invalidField(
      "number",
      "Must be from 2 for chosen affiliates: 1 is the month's run of all affiliates.",
    );
  }
  return asked;
}

/** A run that was started before must be the one that is wanted, or another person's run would be taken for it. */
function requireSame({ affiliate_ids }: PayoutRunRow, { period, number, ...asked }: Asked): void {
  if (JSON.stringify(affiliate_ids) === JSON.stringify(asked.affiliate_ids)) return;
  throw new DomainError("payout_locked", {
    message: `Run ${number} of ${period} was started for other affiliates. Nothing was started.`,
  });
}

const UNFINISHED = {
  running: "A payout run is in progress; a further one can start once it finishes.",
  waiting:
    "A payout run waits for approval; a further one can start once it is declined, or approved and finished.",
};

async function requireStartable(
  sql: Connection,
  organization_id: string,
  { asked, conversion, calendar }: { asked: Asked; conversion: RunConversion; calendar: PayoutCalendarRow },
): Promise<void> {
  const { period, number, affiliate_ids, confirmed } = asked;
  const { last_period } = calendar;
  if (last_period !== null && last_period > period) {
    throw new DomainError("payout_locked", {
      message: `The period ${period} is closed; amounts that became due since are in the next run.`,
    });
  }
  const next = await findNextNumber(sql, organization_id, period);
  if (number > next) throw invalidField("number", `Must be ${next}, the next run of ${period}.`);
  // Both would be due to pay the same commissions, and a person who starts the second one would expect it to pay them.
  const unfinished = number > 1 ? await findUnfinishedRun(sql, organization_id) : null;
  if (unfinished !== null) throw new DomainError("payout_locked", { message: UNFINISHED[unfinished] });
  await requireChosen(sql, organization_id, affiliate_ids);
  if (confirmed === null) return;
  const { totals } = await proposePayouts(sql, organization_id, { ...asked, ...conversion });
  requireConfirmed(confirmed, totals);
}

async function view(sql: Connection, organization_id: string, run: PayoutRunWithCountRow) {
  return viewPayoutRun(run, await listRunTotals(sql, organization_id, [run.id]));
}
