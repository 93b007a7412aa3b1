import type { Connection } from "../postgres/connect.ts";
import type { RunApprovalRow } from "./runs.ts";

/** The member who made a key, or the key that made it, and so on; null: nobody of them is a member, such as the operator. */
export async function findKeyMaker(
  sql: Connection,
  organizationId: string,
  keyId: string,
): Promise<string | null> {
  const [row] = await sql<{ user_id: string }[]>`
    with recursive made as (
      select id, created_by from api_keys where organization_id = ${organizationId} and id = ${keyId}
      union
      select maker.id, maker.created_by from made join api_keys maker
        on maker.organization_id = ${organizationId} and made.created_by = 'key ' || maker.id
    )
    select right(created_by, 36)::uuid as user_id from made where created_by like 'user %'`;
  return row?.user_id ?? null;
}

/**
 * The amounts by currency of runs since a moment that needed no approval: several small runs count like one large one. A run that
 * creates payouts counts with all that it may create.
 */
export async function sumUnapproved(
  sql: Connection,
  organizationId: string,
  since: Date,
): Promise<{ currency: string; amount_minor: bigint }[]> {
  return await sql<{ currency: string; amount_minor: bigint }[]>`
    with run as (
      select id, finished_at, confirmed from payout_runs
      where organization_id = ${organizationId} and approval is null and created_at > ${since}
    )
    select currency, sum(amount_minor)::bigint as amount_minor
    from (
      select total.currency, total.amount_minor from run
      join payout_run_totals total on total.organization_id = ${organizationId} and total.run_id = run.id
      where (run.finished_at is not null or run.confirmed is null) and total.status in ('pending', 'processing', 'paid')
      union all
      select total.key, (total.value ->> 'amount_minor')::bigint from run
      cross join jsonb_each(run.confirmed) total
      where run.finished_at is null
    ) as part
    group by currency`;
}

/** Decides about a run that waits, which a worker then works on, or nobody; false: it does not wait. */
export async function decideRun(
  sql: Connection,
  organizationId: string,
  {
    id,
    approval,
    decided_by,
    decided_at,
    decision_reason,
  }: {
    id: string;
    approval: "approved" | "declined";
    decided_by: string;
    decided_at: Date;
  } & Pick<RunApprovalRow, "decision_reason">,
): Promise<boolean> {
  const is_approved = approval === "approved";
  const rows = await sql`
    update payout_runs set approval = ${approval}, decided_by = ${decided_by}, decided_at = ${decided_at},
      decision_reason = ${decision_reason}, due_at = ${is_approved ? decided_at : null},
      finished_at = ${is_approved ? null : decided_at}
    where organization_id = ${organizationId} and id = ${id} and approval = 'waiting' returning 1`;
  return rows.length > 0;
}
