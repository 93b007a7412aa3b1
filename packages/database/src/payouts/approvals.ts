import { NOTIFIED } from "../mails/notifications.ts";
import type { Connection } from "../postgres/connect.ts";
import { currentTraceparent } from "../postgres/tracer.ts";
import type { ConfirmedRow, RunApprovalRow } from "./runs.ts";

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
      finished_at = ${is_approved ? null : decided_at}, traceparent = ${currentTraceparent()}
    where organization_id = ${organizationId} and id = ${id} and approval = 'waiting' returning 1`;
  return rows.length > 0;
}

/** Writes a mail to those who can approve a run that waits and want to know at once: not to the person who started it. */
export async function insertApprovalMails(
  sql: Connection,
  organizationId: string,
  { run_id, starter_id }: { run_id: string; starter_id: string | null },
): Promise<void> {
  await sql`
    insert into mails (organization_id, kind, about, recipient)
    select approver.organization_id, 'payout_run_waiting', ${run_id}, approver.email
    from ${sql.unsafe(NOTIFIED)} as approver
    where approver.organization_id = ${organizationId} and approver.topic = 'payout_runs'
      and approver.frequency = 'at_once' and approver.user_id is distinct from ${starter_id}::uuid
    on conflict (organization_id, kind, about, recipient) do nothing`;
}

/** A run that waits, for somebody who can approve it. */
export interface WaitingRunRow {
  period: string;
  number: number;
  confirmed: ConfirmedRow;
  /** Null: nobody started it, or the user was deleted. */
  started_by_name: string | null;
  started_at: Date;
  organization_slug: string;
}

/** Returns a run for the mail to an address; null: it waits no more, or the address belongs to nobody who can approve it. */
export async function findWaitingRun(
  sql: Connection,
  organizationId: string,
  { run_id, email }: { run_id: string; email: string },
): Promise<WaitingRunRow | null> {
  const [row] = await sql<WaitingRunRow[]>`
    select run.period, run.number, run.confirmed, starter.name as started_by_name,
      run.created_at as started_at, organization.slug as organization_slug
    from payout_runs run
    join organizations organization on organization.id = run.organization_id
    join users approver on approver.email = ${email} and approver.disabled_at is null
    join members member on member.organization_id = run.organization_id and member.user_id = approver.id
    left join users starter on starter.id = run.starter_id
    where run.organization_id = ${organizationId} and run.id = ${run_id} and run.approval = 'waiting'
      and member.role in ('owner', 'admin') and approver.id is distinct from run.starter_id`;
  return row ?? null;
}
