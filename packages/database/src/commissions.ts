import type { Connection } from "./connect.ts";
import type { PageRange } from "./pages.ts";
import { commissionReader } from "./readers.ts";
import type { CommissionRow } from "./rows.ts";

export type CommissionValues = Pick<
  CommissionRow,
  "revenue_minor" | "commission_minor" | "payout_status" | "referral_date" | "processor_payment_id"
>;

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

/** The commission with all that is nested in it. */
export const findCommission = commissionReader.find;

/** As `findCommission`; other changes of the row wait for this transaction. */
export const lockCommission = commissionReader.lock;

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
  return await commissionReader.list(
    sql,
    sql`
    select * from commissions commission
    where ${conditions(sql, organizationId, filter)}
      ${range.below === null ? sql`` : sql`and commission.id < ${range.below}`}
    order by commission.id desc limit ${range.limit} offset ${range.offset}`,
  );
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

export async function updateCommission(
  sql: Connection,
  organizationId: string,
  { id, values, cause }: { id: string; values: CommissionValues; cause: string },
): Promise<void> {
  await sql`
    update commissions set ${sql({ ...values, cause } as never)},
      payable_at = payable_at + (${values.referral_date}::timestamptz - referral_date)
    where organization_id = ${organizationId} and id = ${id}`;
}
