import { findSecurityPolicy } from "@findersfee/database/identity/security-policies";
import { findKeyMaker, sumUnapproved } from "@findersfee/database/payouts/approvals";
import type { ConfirmedRow, ProposedTotalRow, RunApprovalRow } from "@findersfee/database/payouts/runs";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { DomainError } from "../../errors.ts";

/** The time in which runs without approval count together. */
const DAYS = 30;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

type Total = Pick<ProposedTotalRow, "currency" | "amount_minor">;

/**
 * Whether a run with these totals waits for a second member: it is above the amount of a currency, together with the runs of the last
 * 30 days that needed no approval, or has a currency without an amount.
 */
export async function needsApproval(
  sql: Connection,
  organization_id: string,
  { totals, now }: { totals: readonly Total[]; now: Date },
): Promise<boolean> {
  const { approval_amounts } = await findSecurityPolicy(sql, organization_id);
  if (approval_amounts === null || totals.length === 0) return false;
  const former = await sumUnapproved(sql, organization_id, new Date(now.getTime() - DAYS * DAY_MILLISECONDS));
  return totals.some(({ currency, amount_minor }) => {
    const limit = approval_amounts[currency];
    const before = former.find((total) => total.currency === currency)?.amount_minor ?? 0n;
    return limit === undefined || amount_minor + before > BigInt(limit);
  });
}

/**
 * Whether a new run waits for a second member, and who started it. With the policy, the run pays no more than was compared.
 *
 * @throws DomainError `payout_locked` for a run that needs approval, started by a key that no member made: its holder could approve it
 */
export async function approvalOfNew(
  sql: Connection,
  { organization, actor }: Context,
  {
    confirmed,
    propose,
    now,
  }: { confirmed: ConfirmedRow | null; propose: () => Promise<readonly ProposedTotalRow[]>; now: Date },
): Promise<Pick<RunApprovalRow, "approval" | "starter_id"> & { confirmed: ConfirmedRow | null }> {
  const starter_id = await findStarter(sql, organization.id, actor);
  const { approval_amounts } = await findSecurityPolicy(sql, organization.id);
  if (approval_amounts === null) return { approval: null, starter_id, confirmed };
  const compared = confirmed ?? rowOf(await propose());
  const totals = Object.entries(compared).map(([currency, { amount_minor }]) => ({
    currency,
    amount_minor: BigInt(amount_minor),
  }));
  const is_waiting = await needsApproval(sql, organization.id, { totals, now });
  if (is_waiting && starter_id === null && actor.kind === "key") {
    throw new DomainError("payout_locked", {
      message:
        "This run needs the approval of a second member, and no member made this API key. Start it in the dashboard, or with a key of a member.",
    });
  }
  return { approval: is_waiting ? "waiting" : null, starter_id, confirmed: compared };
}

async function findStarter(
  sql: Connection,
  organization_id: string,
  actor: Context["actor"],
): Promise<string | null> {
  if (actor.kind === "user") return actor.id;
  return actor.kind === "key" ? await findKeyMaker(sql, organization_id, actor.id) : null;
}

function rowOf(totals: readonly ProposedTotalRow[]): ConfirmedRow {
  return Object.fromEntries(
    totals.map(({ currency, payouts, amount_minor }) => [
      currency,
      { payouts, amount_minor: `${amount_minor}` },
    ]),
  );
}
