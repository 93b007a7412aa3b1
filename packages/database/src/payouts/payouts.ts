import type { Connection } from "../postgres/connect.ts";
import type { PageRange } from "../postgres/pages.ts";
import { payoutReader } from "../readers.ts";
import type { PayoutRow } from "../rows.ts";

export interface PayoutFilter {
  affiliate_id?: string | undefined;
  status?: string | undefined;
  period?: string | undefined;
}

/** Returns the payout with its nested resources. */
export const findPayout = payoutReader.find;

/** Returns the payouts with these ids, each with its nested resources. */
export const findPayouts = payoutReader.findAll;

export async function listPayouts(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: PayoutFilter; range: PageRange },
): Promise<PayoutRow[]> {
  return await payoutReader.list(sql, organizationId, {
    chosen: sql`select * from payouts payout where ${conditions(sql, organizationId, filter)}`,
    range,
  });
}

export async function countPayouts(
  sql: Connection,
  organizationId: string,
  filter: PayoutFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from payouts payout where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, { affiliate_id, status, period }: PayoutFilter) {
  return [
    sql`payout.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and payout.affiliate_id = ${affiliate_id}`,
    status === undefined ? sql`` : sql`and payout.status = ${status}`,
    period === undefined ? sql`` : sql`and payout.period = ${period}`,
  ];
}
