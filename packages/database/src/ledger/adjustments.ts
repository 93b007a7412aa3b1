import { actorName } from "../audit-log/actor-name.ts";
import type { Connection } from "../postgres/connect.ts";
import { type PageRange, pageOf } from "../postgres/pages.ts";
import { statement } from "../postgres/statement.ts";
import type { CommissionRow } from "../rows.ts";
import { insertUnpaid, postAdjustment } from "./postings.ts";

/** An amount that a person added to an affiliate's balance, or took from it. */
export interface AdjustmentRow {
  id: string;
  affiliate_id: string;
  currency: string;
  /** Negative: taken from the affiliate. */
  amount_minor: bigint;
  reason: string;
  /** The commission that it corrects; null: none. */
  commission_id: string | null;
  payout_status: CommissionRow["payout_status"];
  /** The payout that has it; null: none. */
  payout_id: string | null;
  created_at: Date;
}

type NewAdjustment = Omit<AdjustmentRow, "payout_status" | "payout_id"> & { cause: string };

/** The columns of `payable_lines` that postings read. */
const LINE =
  "id, affiliate_id, currency, amount_minor as commission_minor, created_at as payable_at, created_at, 'none' as review_state";

const INSERT = statement<object, "organization_id" | keyof NewAdjustment>(`
  with adjustment as (
    insert into adjustments (organization_id, id, affiliate_id, currency, amount_minor, reason, commission_id, created_at)
    values (:organization_id::uuid, :id::uuid, :affiliate_id::uuid, :currency::text, :amount_minor::bigint,
      :reason::text, :commission_id::uuid, :created_at::timestamptz)
    returning ${LINE}
  ),
  ${insertUnpaid("adjustment")},
  ${postAdjustment("adjustment", "adjusted")}
  select`);

/** Inserts an adjustment, which is due at once, with its posting. */
export async function insertAdjustment(
  sql: Connection,
  organizationId: string,
  adjustment: NewAdjustment,
): Promise<void> {
  await INSERT.run(sql, { organization_id: organizationId, ...adjustment });
}

type ChangeName = "organization_id" | "id" | "cause";

/** Waits for a payout run that is taking the adjustment, and then finds that it is no longer unpaid. */
const WITHDRAW = statement<{ id: string }, ChangeName>(`
  with removed as (
    delete from unpaid_commissions
    where organization_id = :organization_id::uuid and commission_id = :id::uuid
    returning commission_id
  ),
  adjustment as (
    update adjustments set voided = true
    where organization_id = :organization_id::uuid and id in (select commission_id from removed) and not voided
    returning ${LINE}
  ),
  ${postAdjustment("adjustment", "withdrawn")}
  select id from adjustment`);

/** Withdraws an adjustment. False: it is in a payout, or was withdrawn. */
export async function withdrawAdjustment(
  sql: Connection,
  organizationId: string,
  change: { id: string; cause: string },
): Promise<boolean> {
  return (await WITHDRAW.run(sql, { organization_id: organizationId, ...change })).length > 0;
}

const RESTORE = statement<object, ChangeName>(`
  with adjustment as (
    update adjustments set voided = false
    where organization_id = :organization_id::uuid and id = :id::uuid and voided
    returning ${LINE}
  ),
  ${insertUnpaid("adjustment")},
  ${postAdjustment("adjustment", "adjusted")}
  select`);

/** Makes a withdrawn adjustment due again. */
export async function restoreAdjustment(
  sql: Connection,
  organizationId: string,
  change: { id: string; cause: string },
): Promise<void> {
  await RESTORE.run(sql, { organization_id: organizationId, ...change });
}

const COLUMNS =
  "id, affiliate_id, currency, amount_minor, reason, commission_id, payout_status, payout_id, created_at";

const FIND = statement<AdjustmentRow, "organization_id" | "id">(`
  select ${COLUMNS} from adjustment_states where organization_id = :organization_id::uuid and id = :id::uuid`);

/** Returns an adjustment with its state, which a payout run may change at any time. */
export async function findAdjustment(
  sql: Connection,
  organizationId: string,
  id: string,
): Promise<AdjustmentRow | null> {
  const [row] = await FIND.run(sql, { organization_id: organizationId, id });
  return row ?? null;
}

/** Locks an adjustment against other changes by people until the transaction ends; a payout run may still take it. */
export async function lockAdjustment(sql: Connection, organizationId: string, id: string): Promise<void> {
  await sql`
    select from adjustments where organization_id = ${organizationId} and id = ${id} for no key update`;
}

export interface AdjustmentFilter {
  affiliate_id?: string | undefined;
  commission_id?: string | undefined;
  payout_id?: string | undefined;
  payout_status?: AdjustmentRow["payout_status"] | undefined;
}

/** Returns a page of adjustments, newest first. */
export async function listAdjustments(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: AdjustmentFilter; range: PageRange },
): Promise<AdjustmentRow[]> {
  return await sql<AdjustmentRow[]>`${pageOf(sql, "adjustment", {
    chosen: sql`
      select ${sql.unsafe(COLUMNS)} from adjustment_states adjustment
      where ${conditions(sql, organizationId, filter)}`,
    range,
  })}`;
}

/** An adjustment with the names that an export shows. */
export interface NamedAdjustmentRow extends AdjustmentRow {
  affiliate_name: string;
  affiliate_email: string;
  /** The actor that created it. */
  cause: string;
  /** The name of the user or key; null for other actors, and for users who were deleted. */
  cause_name: string | null;
}

/** Returns a page of adjustments with names, newest first. */
export async function listNamedAdjustments(
  sql: Connection,
  organizationId: string,
  { filter, range }: { filter: AdjustmentFilter; range: PageRange },
): Promise<NamedAdjustmentRow[]> {
  return await sql<NamedAdjustmentRow[]>`
    select page.*, entry.cause,
      ${sql.unsafe(actorName({ organization_id: "affiliate.organization_id", actor: "entry.cause" }))} as cause_name,
      display_name(affiliate.first_name, affiliate.last_name, affiliate.email) as affiliate_name,
      affiliate.email as affiliate_email
    from (${pageOf(sql, "adjustment", {
      chosen: sql`
        select ${sql.unsafe(COLUMNS)} from adjustment_states adjustment
        where ${conditions(sql, organizationId, filter)}`,
      range,
    })}) as page
    join affiliates affiliate
      on affiliate.organization_id = ${organizationId} and affiliate.id = page.affiliate_id
    cross join lateral (
      select cause from ledger_entries
      where organization_id = ${organizationId} and commission_id = page.id and kind = 'adjusted'
      order by number limit 1
    ) as entry
    order by page.id desc`;
}

export async function countAdjustments(
  sql: Connection,
  organizationId: string,
  filter: AdjustmentFilter,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from adjustment_states adjustment
    where ${conditions(sql, organizationId, filter)}`;
  return row.count;
}

function conditions(sql: Connection, organizationId: string, filter: AdjustmentFilter) {
  const { affiliate_id, commission_id, payout_id, payout_status } = filter;
  return [
    sql`adjustment.organization_id = ${organizationId}`,
    affiliate_id === undefined ? sql`` : sql`and adjustment.affiliate_id = ${affiliate_id}`,
    commission_id === undefined ? sql`` : sql`and adjustment.commission_id = ${commission_id}`,
    payout_id === undefined ? sql`` : sql`and adjustment.payout_id = ${payout_id}`,
    payout_status === undefined ? sql`` : sql`and adjustment.payout_status = ${payout_status}`,
  ];
}

/** Replaces the reasons of an affiliate's adjustments, which may name people. */
export async function eraseAdjustmentReasons(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<void> {
  await sql`
    update adjustments set reason = '[erased]'
    where organization_id = ${organizationId} and affiliate_id = ${affiliateId} and reason <> '[erased]'`;
}
