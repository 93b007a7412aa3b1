import {
  type ListReferralRows,
  MAX_SUMMED_COMMISSIONS,
  type MatchReferrals,
  type ReferralListRow,
} from "@findersfee/contract/customers/referral-rows";
import type { RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  countReferralRows,
  countReferralsOf,
  findCustomerIdsBeginning,
  findLastSearched,
  isRare,
  listReferralRows as listRows,
  type ReferralRowFilter,
  type ReferralText,
  type ReferralListRow as Row,
  type SignUpPosition,
} from "@findersfee/database/customers/list-referral-rows";
import type { Connection } from "@findersfee/database/postgres/connect";
import { findByIdText } from "@findersfee/database/search/matches";
import { viewRowAffiliate } from "../../affiliates/view.ts";
import type { Context } from "../../context.ts";
import { idTextOf } from "../../id-text.ts";
import { toMajor } from "../../money.ts";
import { readTimeCursor, timeCursor } from "../../pages.ts";
import { findAffiliateText, findAllWithText } from "../../people-with-text.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { countRows } from "../../row-counts.ts";
import { readIdPosition, readRowPage } from "../../row-pages.ts";

/** Up to this many customers with a text are looked up first. */
const FEW = 1_000;
/**
 * Up to this number of referrals of the affiliates with a text, the list reads and sorts them all. With more,
 * it soon finds the next ones among all referrals.
 */
const FEW_REFERRALS = 5_000;
/** The next referrals that are searched for a frequent text. A page with fewer rows continues behind them. */
const SEARCHED = 2_000;

/**
 * The dashboard's list of referrals, the latest sign-up first. Errors: `not_found` when nothing matches and the named affiliate
 * does not exist.
 */
export async function listReferralRows(
  context: Context,
  query: ListReferralRows,
): Promise<RowPage<ReferralListRow>> {
  const { database, organization } = context;
  const { affiliate_id } = query;
  const filter = await referralFilter(database, organization.id, query);
  const is_searched = filter.text !== undefined && !isRare(filter.text) && affiliate_id === undefined;
  let last: SignUpPosition | null = null;
  const page = await readRowPage(query, {
    read: async (range) => {
      const search = { filter, range, searched: SEARCHED };
      const rows = await listRows(database, organization.id, {
        ...search,
        most_commissions: MAX_SUMMED_COMMISSIONS,
      });
      if (is_searched && rows.length < range.limit) {
        last = await findLastSearched(database, organization.id, search);
      }
      return rows;
    },
    parse: readPosition,
    positionOf: writePosition,
    view: viewReferralRow,
    continuesAt: () => last && writePosition(last),
  });
  if (page.data.length === 0 && affiliate_id !== undefined) await requireAffiliate(context, affiliate_id);
  return page;
}

/** The number of referrals on all pages of the list. */
export async function countReferrals(context: Context, query: MatchReferrals): Promise<RowCount> {
  const organization_id = context.organization.id;
  return await countRows(context, async (sql, most) => {
    const filter = await referralFilter(sql, organization_id, query);
    return await countReferralRows(sql, organization_id, { filter, most });
  });
}

function writePosition({ signup_date, id }: SignUpPosition): string {
  return timeCursor({ at: signup_date, name: "signed_up", id });
}

function readPosition(cursor: string): SignUpPosition {
  const { at, id } = readTimeCursor(cursor);
  return { signup_date: at, id: readIdPosition(id) };
}

/** The filter of a list or an export. */
export async function referralFilter(
  sql: Connection,
  organization_id: string,
  { affiliate_id, statuses, text, signed_up_from, signed_up_until }: MatchReferrals,
): Promise<ReferralRowFilter> {
  return {
    affiliate_id,
    statuses,
    signed_up_from: signed_up_from === undefined ? undefined : new Date(signed_up_from),
    signed_up_until: signed_up_until === undefined ? undefined : new Date(signed_up_until),
    text: text === undefined ? undefined : await findText(sql, organization_id, text.trim()),
  };
}

/** Who has a text; null in place of those that are too many, or of affiliates who have too many referrals. */
async function findText(sql: Connection, organization_id: string, prefix: string): Promise<ReferralText> {
  const { lower, affiliate_ids } = await findAffiliateText(sql, organization_id, prefix);
  const customers = { people: "customers", text: lower, most: FEW } as const;
  const with_email = await findAllWithText(sql, organization_id, customers);
  const with_customer_id = await findCustomerIdsBeginning(sql, organization_id, { text: prefix, most: FEW });
  const id_text = { table: "referrals", most: FEW, ...idTextOf(lower) } as const;
  const with_id = await findByIdText(sql, organization_id, id_text);
  const referral_ids =
    with_email === null || with_customer_id === null
      ? null
      : [...new Set([...with_email, ...with_customer_id, ...with_id])];
  const text = { lower, prefix, referral_ids };
  if (affiliate_ids === null || affiliate_ids.length === 0) return { ...text, affiliate_ids };
  const count = await countReferralsOf(sql, organization_id, { affiliate_ids, most: FEW_REFERRALS + 1 });
  return { ...text, affiliate_ids: count > FEW_REFERRALS ? null : affiliate_ids };
}

export function viewReferralRow(row: Row): ReferralListRow {
  return {
    id: row.id,
    email: row.email,
    processor_customer_id: row.processor_customer_id,
    subscription_status: row.subscription_status,
    signup_date: row.signup_date.toISOString(),
    converted_at: row.converted_at?.toISOString() ?? null,
    is_stopped: row.is_stopped,
    affiliate: viewRowAffiliate(row),
    commissions: row.commissions,
    sums: row.sums.map(({ currency, revenue_minor, commission_minor }) => ({
      currency,
      revenue: toMajor(BigInt(revenue_minor), currency),
      commission: toMajor(BigInt(commission_minor), currency),
    })),
  };
}
