import { dueAt } from "../ledger/due.ts";
import { type CommissionPosting, insertUnpaid, POST_COMMISSIONS, postingsJson } from "../ledger/postings.ts";
import { HOLD } from "../organizations/settings.ts";
import type { Connection } from "../postgres/connect.ts";
import { StaleCommissionError } from "../postgres/errors.ts";
import { assignments, columnList, jsonRows } from "../postgres/json-rows.ts";
import { statement } from "../postgres/statement.ts";
import type { CommissionRow } from "../rows.ts";

/** The columns of a commission that are written. */
export interface WrittenCommission {
  id: string;
  affiliate_id: string;
  referral_id: string;
  revenue_minor: bigint;
  commission_minor: bigint;
  currency: string;
  payout_status: CommissionStatus;
  referral_date: Date;
  processor_payment_id: string | null;
  reversal_of: string | null;
  /** The kind of lead that it is for; null: it is for a payment. */
  lead: string | null;
  /** The commission of a recruit that it is a percentage of; null: it is for a payment or a lead. */
  recruit_commission_id: string | null;
  created_at: Date;
  /** The payment or the request that caused the change. */
  cause: string;
}

/**
 * The reasons why a new commission waits for a review, and the time of its automatic approval; null: never.
 */
export interface NewReview {
  reasons: string[];
  approves_at: Date | null;
}

/** A new commission; `review` null: it needs none. */
export interface NewWrittenCommission extends WrittenCommission {
  review: NewReview | null;
}

/** A change of a commission that this transaction has locked. */
export interface CommissionChange {
  before: Pick<WrittenCommission, "affiliate_id" | "currency" | "commission_minor" | "payout_status">;
  after: WrittenCommission;
}

const WRITTEN_TYPES = {
  id: "uuid",
  affiliate_id: "uuid",
  referral_id: "uuid",
  revenue_minor: "bigint",
  commission_minor: "bigint",
  currency: "text",
  voided: "boolean",
  referral_date: "timestamptz",
  processor_payment_id: "text",
  reversal_of: "uuid",
  lead: "text",
  recruit_commission_id: "uuid",
  created_at: "timestamptz",
} satisfies Record<Exclude<keyof WrittenCommission, "payout_status" | "cause"> | "voided", string>;

/** The columns that hold a `WrittenCommission`, without its cause. */
export const WRITTEN_COLUMNS = columnList(WRITTEN_TYPES);

/** The further keys of `newJson` for a new commission, in addition to the commission's. */
const REVIEW_TYPES = { review_reasons: "text[]", approves_at: "timestamptz" };

const INSERT = statement<object, "organization_id" | "commissions" | "postings">(`
  with new_commission as materialized (
    select * from ${jsonRows("commissions", "new_commission", { ...WRITTEN_TYPES, ...REVIEW_TYPES, cause: "text" })}
  ),
  commission as (
    insert into commissions (organization_id, ${WRITTEN_COLUMNS}, payable_at, cause, review_state)
    select :organization_id::uuid, ${WRITTEN_COLUMNS}, referral_date + (select ${HOLD}), cause,
      case when review_reasons is null then 'none' else 'pending' end
    from new_commission
    returning id, affiliate_id, currency, commission_minor, payable_at, created_at, voided, review_state
  ),
  review as (
    insert into commission_reviews (organization_id, commission_id, reasons, created_at, due_at)
    select :organization_id::uuid, id, review_reasons, created_at, approves_at
    from new_commission where review_reasons is not null
  ),
  ${insertUnpaid("commission", "not commission.voided")},
  ${POST_COMMISSIONS}
  select`);

/** The state of a row before its change: the keys of `changeJson` in addition to the commission's. */
const FORMER_TYPES = {
  from_affiliate_id: "uuid",
  from_currency: "text",
  from_commission_minor: "bigint",
  from_voided: "boolean",
} satisfies Record<Exclude<keyof ReturnType<typeof changeJson>, keyof ReturnType<typeof jsonOf>>, string>;

/**
 * Changes only rows that are in the state that their postings assume. A changed date also changes the end of the
 * holding period. In `unpaid_commissions`, a voided commission is deleted, a restored one is inserted, and the others
 * are updated.
 */
const UPDATE = statement<{ id: string }, "organization_id" | "changes" | "postings">(`
  with change as materialized (
    select change.* from ${jsonRows("changes", "change", { ...WRITTEN_TYPES, ...FORMER_TYPES, cause: "text" })}
  ),
  commission as (
    update commissions commission
    set ${assignments("change", WRITTEN_TYPES, ["id", "reversal_of", "lead", "recruit_commission_id", "created_at"])},
      payable_at = commission.payable_at + (change.referral_date - commission.referral_date), cause = change.cause
    from change
    where commission.organization_id = :organization_id::uuid and commission.id = change.id
      and (commission.affiliate_id, commission.currency, commission.commission_minor, commission.voided)
        = (change.from_affiliate_id, change.from_currency, change.from_commission_minor, change.from_voided)
    returning commission.id, commission.affiliate_id, commission.currency, commission.commission_minor,
      commission.payable_at, commission.created_at, commission.voided, commission.review_state, change.from_voided
  ),
  removed as (
    delete from unpaid_commissions unpaid using commission
    where commission.voided and unpaid.organization_id = :organization_id::uuid
      and unpaid.commission_id = commission.id
  ),
  moved as (
    update unpaid_commissions unpaid
    set affiliate_id = commission.affiliate_id, currency = commission.currency,
      commission_minor = commission.commission_minor, due_at = ${dueAt("commission")}
    from commission
    where not commission.voided and not commission.from_voided and unpaid.organization_id = :organization_id::uuid
      and unpaid.commission_id = commission.id
  ),
  ${insertUnpaid("commission", "commission.from_voided and not commission.voided")},
  ${POST_COMMISSIONS}
  select id from commission`);

/** Inserts commissions with the postings that the ledger's rules give for them. */
export async function insertWrittenCommissions(
  sql: Connection,
  organizationId: string,
  { commissions, postings }: { commissions: readonly NewWrittenCommission[]; postings: CommissionPosting[] },
): Promise<void> {
  if (commissions.length === 0) return;
  await INSERT.run(sql, {
    organization_id: organizationId,
    commissions: JSON.stringify(commissions.map(newJson)),
    postings: postingsJson(postings),
  });
}

/**
 * Changes commissions with the postings that the ledger's rules give for the changes.
 *
 * @throws StaleCommissionError if a row is not in the assumed state: the caller did not lock it before reading it
 * @throws PostgresError `FF002` (`brokenLedgerGuard`) if a commission's amount changes that is in a payout
 */
export async function updateCommissions(
  sql: Connection,
  organizationId: string,
  { changes, postings }: { changes: readonly CommissionChange[]; postings: CommissionPosting[] },
): Promise<void> {
  if (changes.length === 0) return;
  const updated = await UPDATE.run(sql, {
    organization_id: organizationId,
    changes: JSON.stringify(changes.map(changeJson)),
    postings: postingsJson(postings),
  });
  if (updated.length !== changes.length) throw new StaleCommissionError();
}

/** JSON has no bigint; Postgres parses it from text. */
function jsonOf({ payout_status, ...commission }: WrittenCommission) {
  return {
    ...commission,
    voided: payout_status === "voided",
    revenue_minor: String(commission.revenue_minor),
    commission_minor: String(commission.commission_minor),
  };
}

function newJson({ review, ...commission }: NewWrittenCommission) {
  return {
    ...jsonOf(commission),
    review_reasons: review?.reasons ?? null,
    approves_at: review?.approves_at ?? null,
  };
}

function changeJson({ before, after }: CommissionChange) {
  return {
    ...jsonOf(after),
    from_affiliate_id: before.affiliate_id,
    from_currency: before.currency,
    from_commission_minor: String(before.commission_minor),
    from_voided: before.payout_status === "voided",
  };
}

export type CommissionStatus = CommissionRow["payout_status"];

const READ_PAYOUT_STATUSES = payoutStatusesStatement("");

/**
 * Locks the rows of unpaid commissions: a payout run that reads one waits for this transaction, and then sees its
 * current state. A commission that a concurrent run takes during the wait appears in neither table.
 */
const LOCK_PAYOUT_STATUSES = payoutStatusesStatement("for update");

function payoutStatusesStatement(lock: "" | "for update") {
  return statement<
    { id: string; payout_status: CommissionStatus },
    "organization_id" | "ids" | "affiliate_ids"
  >(`
    with unpaid as (
      select commission_id from unpaid_commissions
      where organization_id = :organization_id::uuid and commission_id = any (:ids::uuid[])
      ${lock}
    )
    select commission_id as id, 'not_paid' as payout_status from unpaid
    union all
    select placed.commission_id, 'paid'
    from unnest(:affiliate_ids::uuid[], :ids::uuid[]) as commission (affiliate_id, id)
    join payout_commissions placed on placed.organization_id = :organization_id::uuid
      and placed.affiliate_id = commission.affiliate_id and placed.commission_id = commission.id
    join payouts payout on payout.organization_id = placed.organization_id and payout.id = placed.payout_id
    where payout.status = 'paid'`);
}

type Voidable = { id: string; affiliate_id: string; voided: boolean };
type WithStatus<Row> = Omit<Row, "voided"> & { payout_status: CommissionStatus };

/** Returns commissions with their payout statuses, which may change at any time. */
export async function readPayoutStatuses<Row extends Voidable>(
  sql: Connection,
  organizationId: string,
  rows: readonly Row[],
): Promise<WithStatus<Row>[]> {
  return await withStatuses(rows, (of) =>
    READ_PAYOUT_STATUSES.run(sql, { organization_id: organizationId, ...of }),
  );
}

/**
 * Returns commissions with their payout states. The caller has locked their rows, so no payout run takes an unpaid one before
 * the transaction ends.
 */
export async function lockPayoutStatuses<Row extends Voidable>(
  sql: Connection,
  organizationId: string,
  rows: readonly Row[],
): Promise<WithStatus<Row>[]> {
  return await withStatuses(rows, (of) =>
    LOCK_PAYOUT_STATUSES.run(sql, { organization_id: organizationId, ...of }),
  );
}

async function withStatuses<Row extends Voidable>(
  rows: readonly Row[],
  find: (of: {
    ids: string[];
    affiliate_ids: string[];
  }) => Promise<{ id: string; payout_status: CommissionStatus }[]>,
): Promise<WithStatus<Row>[]> {
  const live = rows.filter(({ voided }) => !voided);
  const ids = live.map(({ id }) => id);
  const affiliate_ids = live.map(({ affiliate_id }) => affiliate_id);
  const found = live.length === 0 ? [] : await find({ ids, affiliate_ids });
  const statuses = new Map(found.map(({ id, payout_status }) => [id, payout_status]));
  return rows.map(({ voided, ...row }) => ({
    ...row,
    payout_status: voided ? "voided" : (statuses.get(row.id) ?? "pending"),
  }));
}
