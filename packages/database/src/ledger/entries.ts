import { actorName } from "../audit-log/actor-name.ts";
import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { LedgerEntryKind } from "./postings.ts";

export interface LedgerEntryRow {
  number: bigint;
  kind: LedgerEntryKind;
  affiliate_id: string;
  /** The commission or, in entries of the kinds `adjusted` and `withdrawn`, the adjustment. Null in entries of payouts. */
  commission_id: string | null;
  payout_id: string | null;
  currency: string;
  unpaid_minor: bigint;
  in_payout_minor: bigint;
  paid_minor: bigint;
  cause: string;
  created_at: Date;
}

export interface NamedLedgerEntryRow extends LedgerEntryRow {
  /** The name of the user, key or affiliate that caused it; null for other causes, and for users who were deleted. */
  cause_name: string | null;
  /** The reason of the adjustment; null in other entries. */
  adjustment_reason: string | null;
}

const NAMED = `number, kind, affiliate_id, commission_id, payout_id, currency, unpaid_minor, in_payout_minor,
    paid_minor, cause, created_at,
    ${actorName({ organization_id: ":organization_id::uuid", actor: "entry.cause" })} as cause_name,
    (select reason from adjustments
      where organization_id = :organization_id::uuid and id = entry.commission_id
        and entry.kind in ('adjusted', 'withdrawn')) as adjustment_reason`;

const LIST = statement<NamedLedgerEntryRow, "organization_id" | "affiliate_id" | "below" | "limit">(`
  select ${NAMED} from ledger_entries entry
  where organization_id = :organization_id::uuid and affiliate_id = :affiliate_id::uuid
    and (:below::bigint is null or number < :below::bigint)
  order by number desc limit :limit::int`);

const OF_COMMISSIONS = statement<NamedLedgerEntryRow, "organization_id" | "commission_ids" | "limit">(`
  select ${NAMED} from ledger_entries entry
  where organization_id = :organization_id::uuid and commission_id = any (:commission_ids::uuid[])
  order by number limit :limit::int`);

/** Returns the ledger entries of some commissions, oldest first. */
export async function listEntriesOf(
  sql: Connection,
  organizationId: string,
  { commission_ids, limit }: { commission_ids: readonly string[]; limit: number },
): Promise<NamedLedgerEntryRow[]> {
  return await OF_COMMISSIONS.run(sql, { organization_id: organizationId, commission_ids, limit });
}

const OF_PAYOUT = statement<NamedLedgerEntryRow, "organization_id" | "payout_id">(`
  select ${NAMED} from ledger_entries entry
  where organization_id = :organization_id::uuid and payout_id = :payout_id::uuid
  order by number`);

/** Returns the ledger entries of a payout, oldest first. */
export async function listPayoutEntries(
  sql: Connection,
  organizationId: string,
  payoutId: string,
): Promise<NamedLedgerEntryRow[]> {
  return await OF_PAYOUT.run(sql, { organization_id: organizationId, payout_id: payoutId });
}

/** Returns an affiliate's ledger entries, newest first. */
export async function listLedgerEntries(
  sql: Connection,
  organizationId: string,
  { affiliate_id, below, limit }: { affiliate_id: string; below: string | null; limit: number },
): Promise<NamedLedgerEntryRow[]> {
  return await LIST.run(sql, { organization_id: organizationId, affiliate_id, below, limit });
}
