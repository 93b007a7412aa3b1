import type { LedgerEntry, ListLedger } from "@findersfee/contract/ledger/entries";
import type { Page } from "@findersfee/contract/pages";
import { listLedgerEntries, type NamedLedgerEntryRow } from "@findersfee/database/ledger/entries";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";
import { pageOf, requireNamed } from "../pages.ts";
import { requireAffiliate } from "../require-affiliate.ts";

/** An affiliate's ledger entries, newest first. Errors: `not_found`. */
export async function listLedger(
  context: Context,
  { affiliate_id, limit, cursor }: ListLedger,
): Promise<Page<LedgerEntry>> {
  const { database, organization } = context;
  const rows = await listLedgerEntries(database, organization.id, {
    affiliate_id,
    below: cursor ?? null,
    limit: limit + 1,
  });
  const page = pageOf(rows, { limit, view: viewEntry, cursorOf: (row) => String(row.number) });
  await requireNamed(page, [() => requireAffiliate(context, affiliate_id)]);
  return page;
}

/** A ledger entry as the dashboard shows it. */
export function viewEntry({
  number,
  unpaid_minor,
  in_payout_minor,
  paid_minor,
  created_at,
  ...row
}: NamedLedgerEntryRow): LedgerEntry {
  const major = (minor: bigint) => toMajor(minor, row.currency);
  return {
    number: String(number),
    kind: row.kind,
    affiliate_id: row.affiliate_id,
    commission_id: row.adjustment_reason === null ? row.commission_id : null,
    adjustment:
      row.commission_id === null || row.adjustment_reason === null
        ? null
        : { id: row.commission_id, reason: row.adjustment_reason },
    payout_id: row.payout_id,
    currency: row.currency,
    unpaid: major(unpaid_minor),
    in_payout: major(in_payout_minor),
    paid: major(paid_minor),
    cause: row.cause,
    cause_name: row.cause_name,
    created_at: created_at.toISOString(),
  };
}
