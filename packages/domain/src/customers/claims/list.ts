import type { ClaimRow, ListClaims, MatchClaims } from "@findersfee/contract/customers/claims";
import type { RowCount, RowPage } from "@findersfee/contract/row-pages";
import {
  type ClaimFilter,
  countClaims as countListed,
  listClaims as listRows,
} from "@findersfee/database/customers/claims";
import type { Connection } from "@findersfee/database/postgres/connect";
import type { Context } from "../../context.ts";
import { firstIdOf } from "../../ids.ts";
import { findAffiliateText } from "../../people-with-text.ts";
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
  const filter = await claimFilter(database, organization.id, query);
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
  const organization_id = context.organization.id;
  return await countRows(context, async (sql, most) => {
    const filter = await claimFilter(sql, organization_id, query);
    return await countListed(sql, organization_id, { filter, most });
  });
}

/** The filter of a list or an export. */
export async function claimFilter(
  sql: Connection,
  organization_id: string,
  { states, affiliate_id, text, created_from, created_until }: MatchClaims,
): Promise<ClaimFilter> {
  const filter = { states, affiliate_id, ...boundsOf({ created_from, created_until }) };
  if (text === undefined) return filter;
  return { ...filter, text: await findAffiliateText(sql, organization_id, text) };
}

/** Ids begin with the time of creation. */
function boundsOf({
  created_from,
  created_until,
}: Pick<MatchClaims, "created_from" | "created_until">): Pick<ClaimFilter, "from_id" | "until_id"> {
  return {
    from_id: created_from && firstIdOf(new Date(created_from)),
    until_id: created_until && firstIdOf(new Date(created_until)),
  };
}
