import type { ClaimRow, ListClaims, MatchClaims } from "@findersfee/contract/customers/claims";
import type { RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  type ClaimFilter,
  countClaims as countListed,
  listClaims as listRows,
} from "@findersfee/database/customers/claims";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { Context } from "../../context.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { countRows } from "../../row-counts.ts";
import { readIdPosition, readRowPage } from "../../row-pages.ts";
import { viewClaim } from "./view.ts";

/**
 * The dashboard's list of claims, newest first. Errors: `not_found` when nothing matches and the named affiliate does not
 * exist.
 */
export async function listClaims(context: Context, query: ListClaims): Promise<RowPage<ClaimRow>> {
  const { database, organization } = context;
  const { affiliate_id } = query;
  const filter = claimFilter(query);
  const page = await readRowPage(query, {
    read: (range) => listRows(database, organization.id, { filter, range }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewClaim,
  });
  if (page.data.length === 0 && affiliate_id !== undefined) await requireAffiliate(context, affiliate_id);
  return page;
}

/** The number of claims on all pages of the list. */
export async function countClaims(context: Context, query: MatchClaims): Promise<RowCount> {
  const filter = claimFilter(query);
  return await countRows(context, (sql, most) => countListed(sql, context.organization.id, { filter, most }));
}

/** The filter of a list or an export. */
export function claimFilter({ states, affiliate_id, email }: MatchClaims): ClaimFilter {
  return { states, affiliate_id, email: email === undefined ? undefined : lowerCase(email.trim()) };
}
