/*
 * Postings: parts of the statements that write commissions and payouts. Each part writes ledger entries, adds them to the
 * balances, and keeps `unpaid_commissions`, as common table expressions of that statement. The rules which change makes
 * which posting are in packages/domain/src/ledger. The guards in the migrations (errcodes FF…) and `verify ledger` find
 * a statement that forgot its posting.
 */
import { columnList, jsonRows } from "../postgres/json-rows.ts";
import { dueAt } from "./due.ts";

/**
 * - `earned`, `reduced`, `restored`, `voided`, `reversed`: of a commission.
 * - `adjusted`, `withdrawn`: of an adjustment. `commission_id` has its id.
 * - `put_into_payout`, `taken_out`, `paid`, `returned`: of a payout and all its commissions.
 * - `converted`, `unconverted`: of the commissions of a payout in another currency than the payout's.
 */
export type LedgerEntryKind =
  | "earned"
  | "reduced"
  | "restored"
  | "voided"
  | "reversed"
  | "adjusted"
  | "withdrawn"
  | "put_into_payout"
  | "taken_out"
  | "paid"
  | "returned"
  | "converted"
  | "unconverted";

/** An entry of a commission: the change of the unpaid balance of an affiliate in a currency. */
export interface CommissionPosting {
  commission_id: string;
  affiliate_id: string;
  currency: string;
  kind: Extract<LedgerEntryKind, "earned" | "reduced" | "restored" | "voided" | "reversed">;
  unpaid_minor: bigint;
  /** The cause of the change: a payment, a request, a payout run. */
  cause: string;
}

const COMMISSION_ENTRY_TYPES = {
  affiliate_id: "uuid",
  currency: "text",
  commission_id: "uuid",
  kind: "text",
  unpaid_minor: "bigint",
  cause: "text",
} satisfies Record<keyof CommissionPosting, string>;

const COMMISSION_ENTRY = columnList(COMMISSION_ENTRY_TYPES);
const PAYOUT_ENTRY = `affiliate_id, currency, payout_id, commission_ids, kind, unpaid_minor, in_payout_minor,
        paid_minor, converted_minor, cause`;

/** The sums of a balance that commissions change, and those that payouts change. */
const COMMISSION_SUMS = ["earned_minor", "lost_minor", "unpaid_minor"];
const PAYOUT_SUMS = ["unpaid_minor", "in_payout_minor", "paid_minor", "converted_minor"];

/**
 * The earnings of new commissions. `commission` names a common table expression with the inserted rows, none of them
 * void or a reversal.
 */
export function postEarned(commission: string): string {
  return `${insertUnpaid(commission)},
    entry as (
      insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
      select :organization_id::uuid, affiliate_id, currency, id, 'earned', commission_minor, cause
      from ${commission}
    ),
    ${addToBalances(
      `
      select affiliate_id, currency, sum(commission_minor) as earned_minor, 0 as lost_minor,
        sum(commission_minor) as unpaid_minor
      from ${commission} group by affiliate_id, currency`,
      COMMISSION_SUMS,
    )}`;
}

/** The postings of new or changed commissions, as the JSON of `postingsJson` in the parameter `:postings`. */
export const POST_COMMISSIONS = `posting as (
      select posting.* from ${jsonRows("postings", "posting", COMMISSION_ENTRY_TYPES)}
    ),
    entry as (
      insert into ledger_entries (organization_id, ${COMMISSION_ENTRY})
      select :organization_id::uuid, ${COMMISSION_ENTRY} from posting
    ),
    ${addToBalances(
      `
      select affiliate_id, currency,
        coalesce(sum(unpaid_minor) filter (where kind = 'earned'), 0) as earned_minor,
        coalesce(-sum(unpaid_minor) filter (where kind <> 'earned'), 0) as lost_minor,
        sum(unpaid_minor) as unpaid_minor
      from posting group by affiliate_id, currency`,
      COMMISSION_SUMS,
    )}`;

/**
 * The posting of one adjustment. `adjustment` names a common table expression with its row, with the columns of
 * `payable_lines`. A withdrawn one is no longer unpaid.
 */
export function postAdjustment(
  adjustment: string,
  kind: Extract<LedgerEntryKind, "adjusted" | "withdrawn">,
): string {
  const unpaid_minor = kind === "adjusted" ? "commission_minor" : "-commission_minor";
  return `entry as (
      insert into ledger_entries (organization_id, affiliate_id, currency, commission_id, kind, unpaid_minor, cause)
      select :organization_id::uuid, affiliate_id, currency, id, '${kind}', ${unpaid_minor}, :cause::text
      from ${adjustment}
    ),
    ${addToBalances(
      `select affiliate_id, currency, ${unpaid_minor} as adjusted_minor, ${unpaid_minor} as unpaid_minor from ${adjustment}`,
      ["adjusted_minor", "unpaid_minor"],
    )}`;
}

/** The parameter `:postings` of `POST_COMMISSIONS`. JSON knows no bigint; Postgres reads one from text. */
export function postingsJson(postings: readonly CommissionPosting[]): string {
  return JSON.stringify(
    postings.map(({ unpaid_minor, ...posting }) => ({ ...posting, unpaid_minor: String(unpaid_minor) })),
  );
}

/** Records as unpaid the commissions of a common table expression for which `condition` holds. */
export function insertUnpaid(source: string, condition = "true"): string {
  return `unpaid as (
      insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, due_at)
      select :organization_id::uuid, commission.id, commission.affiliate_id, commission.currency,
        commission.commission_minor, ${dueAt("commission")}
      from ${source} as commission where ${condition}
    )`;
}

/**
 * New payouts take their commissions. `allocated` names a common table expression with `payout_id`, `affiliate_id`,
 * `currency`, `amount_minor`, `commission_ids` and `cause`.
 */
export function postAllocated(allocated: string): string {
  return postPayouts(`
      select affiliate_id, currency, payout_id, commission_ids, 'put_into_payout' as kind,
        -amount_minor as unpaid_minor, amount_minor as in_payout_minor, 0 as paid_minor, 0 as converted_minor, cause
      from ${allocated}`);
}

/**
 * Same for payouts with amounts from other currencies: `converted_minor` of `amount_minor`. `conversion` names a common table
 * expression with `payout_id`, `affiliate_id`, `from_currency`, `from_minor`, `commission_ids` and `cause`.
 */
export function postConverted(allocated: string, conversion: string): string {
  return postPayouts(`
      select affiliate_id, currency, payout_id, commission_ids, 'put_into_payout' as kind,
        converted_minor - amount_minor as unpaid_minor, amount_minor as in_payout_minor, 0 as paid_minor,
        -converted_minor as converted_minor, cause
      from ${allocated}
      union all
      select affiliate_id, from_currency, payout_id, commission_ids, 'converted', -from_minor, 0, 0, from_minor, cause
      from ${conversion}`);
}

/** Payouts are paid, and all their commissions with them. `payout` names a common table expression with the rows. */
export function postPaid(payout: string): string {
  return postPayouts(`
      select affiliate_id, currency, id as payout_id, null::uuid[] as commission_ids, 'paid' as kind,
        0 as unpaid_minor, -amount_minor as in_payout_minor, amount_minor as paid_minor, 0 as converted_minor,
        status_by as cause
      from ${payout}`);
}

/**
 * Posts that payouts failed or were canceled. All their commissions are unpaid again: taken out of an open
 * payout, or returned by a paid one. `payout` names a common table expression with the rows, and with
 * `was_paid`. `conversion` names one with the rows of `payout_conversions`; their amounts go back to their
 * own currencies.
 */
export function postReleased(payout: string, conversion: string): string {
  return postPayouts(`
      select affiliate_id, currency, id as payout_id, null::uuid[] as commission_ids,
        case when was_paid then 'returned' else 'taken_out' end as kind,
        amount_minor - part.to_minor as unpaid_minor,
        case when was_paid then 0 else -amount_minor end as in_payout_minor,
        case when was_paid then -amount_minor else 0 end as paid_minor, part.to_minor as converted_minor,
        status_by as cause
      from ${payout} as payout
      cross join lateral (
        select coalesce(sum(to_minor), 0)::bigint as to_minor from ${conversion} where payout_id = payout.id
      ) as part
      union all
      select payout.affiliate_id, from_currency, payout.id, null, 'unconverted', from_minor, 0, 0, -from_minor, status_by
      from ${conversion} as conversion join ${payout} as payout on payout.id = conversion.payout_id`);
}

function postPayouts(entries: string): string {
  return `posting as (${entries}),
    entry as (
      insert into ledger_entries (organization_id, ${PAYOUT_ENTRY})
      select :organization_id::uuid, ${PAYOUT_ENTRY} from posting order by affiliate_id, currency, payout_id
    ),
    ${addToBalances(
      `
      select affiliate_id, currency, sum(unpaid_minor) as unpaid_minor, sum(in_payout_minor) as in_payout_minor,
        sum(paid_minor) as paid_minor, sum(converted_minor) as converted_minor
      from posting group by affiliate_id, currency`,
      PAYOUT_SUMS,
    )}`;
}

/**
 * The only writer of `balances`; `listBalances` and `sumBalances` in `balances.ts` read them, and lists join the table. Locks
 * the balances in the order of their keys, so that two statements never wait for each other.
 */
function addToBalances(sums: string, columns: readonly string[]): string {
  return `balance as (
      insert into balances as balance (organization_id, affiliate_id, currency, ${columns.join(", ")})
      select :organization_id::uuid, affiliate_id, currency, ${columns.join(", ")}
      from (${sums}) as sums
      order by affiliate_id, currency
      on conflict (organization_id, affiliate_id, currency) do update
      set ${columns.map((column) => `${column} = balance.${column} + excluded.${column}`).join(", ")}
    )`;
}
