import {
  type ListReferralRows,
  MAX_SUMMED_COMMISSIONS,
  type MatchReferrals,
  type ReferralListRow,
} from "@findersfee/contract/customers/referral-rows";
import type { RowCount, RowPage } from "@findersfee/contract/row-pages";
import type { RowRange } from "@findersfee/database/commissions/list-rows";
import {
  countReferralRows,
  findLastCandidate,
  listReferralRows as listRows,
  type ReferralRowFilter,
  type ReferralSource,
  type ReferralListRow as Row,
} from "@findersfee/database/customers/list-referral-rows";
import { viewRowAffiliate } from "../../affiliates/view.ts";
import type { Context } from "../../context.ts";
import { toMajor } from "../../money.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { countRows } from "../../row-counts.ts";
import { readIdPosition, readRowPage } from "../../row-pages.ts";

/** The newest referrals, of the statuses, that are searched for a text before its indexes are. */
const NEWEST = 2_000;
/** Matches of a text that are looked at if there are further conditions. */
const LOOKED_AT = 2_000;

/**
 * The dashboard's list of referrals, newest first. Errors: `not_found` when nothing matches and the named affiliate does
 * not exist.
 */
export async function listReferralRows(
  context: Context,
  query: ListReferralRows,
): Promise<RowPage<ReferralListRow>> {
  const { affiliate_id } = query;
  const filter = referralFilter(query);
  let continues_at: string | null = null;
  const page = await readRowPage(query, {
    read: async (range) => {
      const read = await readRows(context, { filter, range });
      continues_at = read.continues_at;
      return read.rows;
    },
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewReferralRow,
    continuesAt: () => continues_at,
  });
  if (page.data.length === 0 && affiliate_id !== undefined) await requireAffiliate(context, affiliate_id);
  return page;
}

/** The number of referrals on all pages of the list. */
export async function countReferrals(context: Context, query: MatchReferrals): Promise<RowCount> {
  const filter = referralFilter(query);
  return await countRows(context, (sql, most) =>
    countReferralRows(sql, context.organization.id, { filter, most }),
  );
}

/** The filter of a list or an export. */
export function referralFilter({ affiliate_id, statuses, text }: MatchReferrals): ReferralRowFilter {
  return { affiliate_id, statuses, prefix: text?.trim() };
}

/** `continues_at`: the last referral that was looked at, if the rows are fewer than the limit and others may follow. */
interface Read {
  rows: Row[];
  continues_at: string | null;
}

async function readRows(
  { database, organization }: Context,
  { filter, range }: { filter: ReferralRowFilter; range: RowRange },
): Promise<Read> {
  let farthest: Read | null = null;
  for (const source of sourcesOf(filter, range.limit)) {
    const rows = await listRows(database, organization.id, {
      filter,
      source,
      range,
      most_commissions: MAX_SUMMED_COMMISSIONS,
    });
    if (rows.length === range.limit) return { rows, continues_at: null };
    const last = await findLastCandidate(database, organization.id, { filter, source, range });
    if (last === null) return { rows, continues_at: null };
    const is_farther =
      farthest?.continues_at == null ||
      (range.before === null ? last < farthest.continues_at : last > farthest.continues_at);
    if (is_farther) farthest = { rows, continues_at: last };
  }
  return farthest ?? { rows: [], continues_at: null };
}

/** The sources to try, in this order. */
function sourcesOf({ prefix, affiliate_id, statuses }: ReferralRowFilter, limit: number): ReferralSource[] {
  // An affiliate has few referrals, and its index finds them.
  if (prefix === undefined || affiliate_id !== undefined) return [{ kind: "all" }];
  return [
    { kind: "newest", most: NEWEST },
    { kind: "text", most: statuses === undefined ? limit : LOOKED_AT },
  ];
}

export function viewReferralRow(row: Row): ReferralListRow {
  return {
    id: row.id,
    email: row.email,
    processor_customer_id: row.processor_customer_id,
    subscription_status: row.subscription_status,
    signup_date: row.signup_date.toISOString(),
    converted_at: row.converted_at?.toISOString() ?? null,
    affiliate: viewRowAffiliate(row),
    commissions: row.commissions,
    sums: row.sums.map(({ currency, revenue_minor, commission_minor }) => ({
      currency,
      revenue: toMajor(BigInt(revenue_minor), currency),
      commission: toMajor(BigInt(commission_minor), currency),
    })),
  };
}
