import type { Connection } from "./connect.ts";
import { eventsAndDeliveries, type NewEvent } from "./events.ts";
import { claimIdempotencyKey, type NewAnswer } from "./idempotency-keys.ts";
import type { PageRange } from "./pages.ts";
import { type CommissionRow, nest, SELECT_COMMISSION } from "./rows.ts";

export type CommissionValues = Pick<
  CommissionRow,
  "revenue_minor" | "commission_minor" | "payout_status" | "referral_date" | "processor_payment_id"
>;

export interface NewCommission extends CommissionValues {
  id: string;
  affiliate_id: string;
  referral_id: string;
  currency: string;
  created_at: Date;
}

export interface CommissionFilter {
  affiliate_id?: string | undefined;
  referral_id?: string | undefined;
  payout_status?: string | undefined;
  created_after?: Date | undefined;
  created_before?: Date | undefined;
  /** Bounds of the ids that the two times allow: ids ascend with created_at, and only they are indexed. */
  from_id?: string | undefined;
  before_id?: string | undefined;
}

export async function findCommission(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<CommissionRow | null> {
  const rows = await sql`
    ${sql.unsafe(SELECT_COMMISSION)}
    where commission.organization_id = ${organizationId} and commission.id = ${id}`;
  return nest<CommissionRow>(rows)[0] ?? null;
}

/** As `findCommission`; other changes of the row wait for this transaction. */
export async function lockCommission(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<CommissionRow | null> {
  const rows = await sql`
    ${sql.unsafe(SELECT_COMMISSION)}
    where commission.organization_id = ${organizationId} and commission.id = ${id}
    for no key update of commission`;
  return nest<CommissionRow>(rows)[0] ?? null;
}

/** The commission of a payment; reversals do not count. */
export async function findCommissionByPayment(
  sql: Connection,
  organizationId: string,
  processorPaymentId: string,
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id from commissions
    where organization_id = ${organizationId} and processor_payment_id = ${processorPaymentId}
      and reversal_of is null`;
  return row?.id ?? null;
}

export async function listCommissions(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: CommissionFilter; range: PageRange },
): Promise<CommissionRow[]> {
  const rows = await sql`
    ${sql.unsafe(SELECT_COMMISSION)}
    where ${conditions(sql, organizationId, filter)}
      ${range.below === null ? sql`` : sql`and commission.id < ${range.below}`}
    order by commission.id desc limit ${range.limit} offset ${range.offset}`;
  return nest<CommissionRow>(rows);
}

export async function countCommissions(
  sql: Connection,
  organizationId: string,
  filter: CommissionFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from commissions commission where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: CommissionFilter) {
  const { affiliate_id, referral_id, payout_status, created_after, created_before, from_id, before_id } =
    filter;
  return [
    sql`commission.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and commission.affiliate_id = ${affiliate_id}`,
    referral_id === undefined ? sql`` : sql`and commission.referral_id = ${referral_id}`,
    payout_status === undefined ? sql`` : sql`and commission.payout_status = ${payout_status}`,
    created_after === undefined ? sql`` : sql`and commission.created_at >= ${created_after}`,
    created_before === undefined ? sql`` : sql`and commission.created_at < ${created_before}`,
    from_id === undefined ? sql`` : sql`and commission.id >= ${from_id}`,
    before_id === undefined ? sql`` : sql`and commission.id < ${before_id}`,
  ];
}

export interface CommissionCreation {
  commission: NewCommission;
  /** `commission.created`, and, in case this is the referral's first one, `referral.converted`. */
  events: NewEvent[];
  /** Whether the referral may still have to be marked as converted. */
  converts: boolean;
  /** Null: without an Idempotency-Key. */
  answer: NewAnswer | null;
}

/**
 * The whole change in one statement, so that the hottest path costs one round trip: the commission, the
 * referral's conversion if this is its first one, the events, their deliveries, and the idempotency key.
 * Returns false, having changed nothing, if the key was not free.
 */
export async function insertCommission(
  sql: Connection,
  organizationId: string,
  { commission, events, converts, answer }: CommissionCreation,
): Promise<boolean> {
  // A referral's first commission is decided by who gets this row's lock first: the update's condition is
  // evaluated again after the wait.
  const conversion = sql`
    converted as (
      update referrals set converted_at = ${commission.created_at}
      where organization_id = ${organizationId} and id = ${commission.referral_id} and converted_at is null
        and exists (select from commission)
      returning id
    ),`;
  const happened = converts
    ? sql`exists (select from commission)
        and (new_event.type <> 'referral.converted' or exists (select from converted))`
    : sql`exists (select from commission)`;
  const rows = await sql`
    with ${answer === null ? sql`` : sql`claim as (${claimIdempotencyKey(sql, organizationId, answer)}),`}
    commission as (
      insert into commissions (organization_id, id, affiliate_id, referral_id, revenue_minor, commission_minor,
        currency, payout_status, referral_date, processor_payment_id, created_at)
      select ${organizationId}::uuid, ${commission.id}::uuid, ${commission.affiliate_id}::uuid,
        ${commission.referral_id}::uuid, ${commission.revenue_minor}::bigint, ${commission.commission_minor}::bigint,
        ${commission.currency}, ${commission.payout_status}, ${commission.referral_date}::timestamptz,
        ${commission.processor_payment_id}, ${commission.created_at}::timestamptz
      ${answer === null ? sql`` : sql`where exists (select from claim)`}
      returning id
    ),
    ${converts ? conversion : sql``}
    ${eventsAndDeliveries(sql, organizationId, { events, created_at: commission.created_at }, happened)}
    select id from commission`;
  return rows.length === 1;
}

export async function updateCommission(
  sql: Connection,
  organizationId: string,
  { id, values }: { id: string; values: CommissionValues },
): Promise<void> {
  await sql`
    update commissions set ${sql(values as never)} where organization_id = ${organizationId} and id = ${id}`;
}
