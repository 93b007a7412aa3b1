import type { Connection } from "../postgres/connect.ts";
import type { LedgerEntryKind } from "./postings.ts";

export interface LedgerEntryRow {
  number: bigint;
  kind: LedgerEntryKind;
  affiliate_id: string;
  /** Null in entries of payouts. */
  commission_id: string | null;
  payout_id: string | null;
  currency: string;
  unpaid_minor: bigint;
  in_payout_minor: bigint;
  paid_minor: bigint;
  cause: string;
  created_at: Date;
}

/** Returns an affiliate's ledger entries, newest first. */
export async function listLedgerEntries(
  sql: Connection,
  organizationId: string,
  { affiliate_id, below, limit }: { affiliate_id: string; below: string | null; limit: number },
): Promise<LedgerEntryRow[]> {
  return await sql<LedgerEntryRow[]>`
    select number, kind, affiliate_id, commission_id, payout_id, currency, unpaid_minor, in_payout_minor,
      paid_minor, cause, created_at
    from ledger_entries
    where organization_id = ${organizationId} and affiliate_id = ${affiliate_id}
      ${below === null ? sql`` : sql`and number < ${below}`}
    order by number desc limit ${limit}`;
}
