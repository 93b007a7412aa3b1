import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import { paymentOutcomes } from "@findersfee/contract/attribution/payment-decisions";
import {
  type CountPayments,
  type ExplainedCandidate,
  type ListPaymentRows,
  MAX_COUNTED,
  type MatchPayments,
  type PaymentCounts,
  type PaymentListRow,
} from "@findersfee/contract/attribution/payment-rows";
import { MAX_COUNTED_ROWS } from "@findersfee/contract/counted-rows";
import type { MatchingRows, RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  countPaymentOutcomes,
  countPaymentRows,
  findLastSearched,
  isSearched,
  type PaymentListRow as ListRow,
  listMatchingPayments,
  listPaymentRows as listRows,
  type PaidPosition,
  type PaymentRowFilter,
} from "@findersfee/database/attribution/list-payment-rows";
import {
  findPaymentsAndCustomersBeginning,
  type PaymentTextMatches,
} from "@findersfee/database/attribution/search";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../context.ts";
import { toMajor } from "../money.ts";
import { readTimeCursor, timeCursor } from "../pages.ts";
import { findAffiliateText, findAllWithText } from "../people-with-text.ts";
import { requireAffiliate } from "../require-affiliate.ts";
import { countRows, matchingRows } from "../row-counts.ts";
import { readRowPage } from "../row-pages.ts";
import { explainCandidates } from "./explain-candidates.ts";
import { findReportedReversals, goneBy } from "./reported-reversals.ts";
import { outcomeName } from "./view.ts";
import { readExplanation } from "./write/explanation.ts";
import { readProcessor } from "./write/load.ts";

/** Up to this many customers or payments, a text is looked up first. */
const FEW = 1000;
/** The same for affiliates: the next payments of each are read. */
const FEW_AFFILIATES = 200;
/** The next payments that are searched for a frequent text. A page with fewer rows continues behind them. */
const SEARCHED = 2_000;

/**
 * The dashboard's list of payments, the latest first. Errors: `not_found` when nothing matches and the named affiliate does
 * not exist.
 */
export async function listPaymentRows(
  context: Context,
  query: ListPaymentRows,
): Promise<RowPage<PaymentListRow>> {
  const { database, organization } = context;
  const filter = await paymentFilter(database, organization.id, query);
  const is_searched = filter.affiliate_id === undefined && isSearched(filter.text);
  let last: PaidPosition | null = null;
  const rows = await readRowPage(query, {
    read: async (range) => {
      const search = { filter, range, searched: SEARCHED };
      const rows = await listRows(database, organization.id, search);
      if (is_searched && rows.length < range.limit) {
        last = await findLastSearched(database, organization.id, search);
      }
      return rows;
    },
    parse: readPosition,
    positionOf: writePosition,
    view: (row) => row,
    continuesAt: () => last && writePosition(last),
  });
  if (rows.data.length === 0 && query.affiliate_id !== undefined) {
    await requireAffiliate(context, query.affiliate_id);
  }
  const reversed = rows.data.filter(({ reversed_minor }) => reversed_minor > 0n);
  const [passed, taken_back] = await Promise.all([
    findPassed(context, rows.data),
    findReportedReversals(database, organization.id, reversed),
  ]);
  const data = rows.data.map((row) => ({
    ...viewPaymentRow(row),
    taken_back_by: goneBy(taken_back.get(row.id) ?? []),
    passed: passed.get(row.id) ?? null,
  }));
  return { ...rows, data };
}

/** The number of payments on all pages of the list. */
export async function countMatchingPayments(context: Context, query: MatchPayments): Promise<RowCount> {
  return await countRows(context, async (sql, most) => {
    const filter = await paymentFilter(sql, context.organization.id, query);
    return await countPaymentRows(sql, context.organization.id, { filter, most });
  });
}

/** The payments on all pages of the list, each with its outcome. */
export async function matchPayments(
  { database, organization }: Context,
  query: MatchPayments,
): Promise<MatchingRows> {
  const filter = await paymentFilter(database, organization.id, query);
  const most = MAX_COUNTED_ROWS + 1;
  const rows = await listMatchingPayments(database, organization.id, { filter, most });
  return matchingRows(rows.map(({ id, outcome }) => ({ id, state: outcome })));
}

function writePosition({ paid_at, id }: PaidPosition): string {
  return timeCursor({ at: paid_at, name: "paid", id });
}

function readPosition(cursor: string): PaidPosition {
  const { at, id } = readTimeCursor(cursor);
  return { paid_at: at, id };
}

/** The filter of a list or an export. */
export async function paymentFilter(
  sql: Connection,
  organization_id: string,
  query: MatchPayments,
): Promise<PaymentRowFilter> {
  const { text, outcomes, affiliate_id, processor } = query;
  const filter: PaymentRowFilter = { outcomes, affiliate_id, processor, ...periodOf(query) };
  if (text === undefined) return filter;
  const prefix = text.trim();
  return { ...filter, text: { prefix, matches: await findTextMatches(sql, organization_id, prefix) } };
}

/** Who has a text, up to `most` of each kind. */
export async function findTextMatches(
  sql: Connection,
  organization_id: string,
  prefix: string,
  most = FEW,
): Promise<PaymentTextMatches> {
  const customers = { people: "customers", text: prefix, most } as const;
  const { affiliate_ids } = await findAffiliateText(
    sql,
    organization_id,
    prefix,
    Math.min(most, FEW_AFFILIATES),
  );
  return {
    ...(await findPaymentsAndCustomersBeginning(sql, organization_id, { text: prefix, most })),
    referral_ids: await findAllWithText(sql, organization_id, customers),
    affiliate_ids: affiliate_ids === null ? null : [...affiliate_ids],
  };
}

function periodOf({
  paid_from,
  paid_until,
}: CountPayments): Pick<PaymentRowFilter, "paid_from" | "paid_until"> {
  return {
    paid_from: paid_from === undefined ? undefined : new Date(paid_from),
    paid_until: paid_until === undefined ? undefined : new Date(paid_until),
  };
}

/** The first candidate of each payment without a commission. */
async function findPassed(
  { database, organization }: Context,
  rows: readonly ListRow[],
): Promise<Map<string, ExplainedCandidate>> {
  const asked = rows.flatMap((row) => {
    const [candidate] = row.outcome === "commission" ? [] : readExplanation(row.explanation).candidates;
    return candidate === undefined ? [] : [{ row, candidate }];
  });
  const explained = await explainCandidates(
    database,
    organization.id,
    asked.map(({ row: { paid_at }, candidate }) => ({ candidate, paid_at })),
  );
  return new Map(explained.map((candidate, index) => [asked[index]?.row.id ?? "", candidate]));
}

/** A payment of a list, without data of other tables. */
export function viewPaymentRow(row: ListRow): Omit<PaymentListRow, "passed" | "taken_back_by"> {
  const { currency, affiliate_id } = row;
  const { affiliate_email: email, first_name, last_name } = row;
  return {
    id: row.id,
    processor: readProcessor(row.processor),
    processor_payment_id: row.payment_id,
    paid_at: row.paid_at.toISOString(),
    decided_at: row.decided_at.toISOString(),
    customer_email: row.customer_email,
    outcome: outcomeName.parse(row.outcome),
    currency,
    revenue_amount: toMajor(row.revenue_minor, currency),
    paid_amount: toMajor(row.paid_minor, currency),
    taken_back_amount: toMajor(row.reversed_minor, currency),
    commission_amount: toMajor(row.commission_minor, currency),
    commission_id: row.commission_id,
    override: readExplanation(row.explanation).override?.type ?? null,
    remaining:
      row.held_id === null
        ? null
        : {
            commission_id: row.held_id,
            amount: toMajor(row.remaining_minor, currency),
            voided: row.held_voided,
          },
    affiliate:
      affiliate_id === null || email === null || first_name === null || last_name === null
        ? null
        : { id: affiliate_id, email, first_name, last_name },
  };
}

const OUTCOMES = Object.keys(paymentOutcomes) as PaymentOutcomeName[];

/** The number of payments by outcome, without those of outcomes that none has; counting stops at `MAX_COUNTED`. */
export async function countPayments(
  { database, organization }: Context,
  query: CountPayments,
): Promise<PaymentCounts> {
  const filter = periodOf(query);
  const rows = await countPaymentOutcomes(database, organization.id, {
    outcomes: OUTCOMES,
    filter,
    most: MAX_COUNTED,
  });
  return rows.map(({ outcome, count }) => ({ outcome: outcomeName.parse(outcome), count }));
}
