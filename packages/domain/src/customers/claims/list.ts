import type { ClaimRow, ListClaims } from "@findersfee/contract/customers/claims";
import type { RowPage } from "@findersfee/contract/row-pages";
import { listClaims as listRows } from "@findersfee/database/customers/claims";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { Context } from "../../context.ts";
import { requireAffiliate } from "../../require-affiliate.ts";
import { readIdPosition, readRowPage } from "../../row-pages.ts";
import { viewClaim } from "./view.ts";

/**
 * The dashboard's list of claims, newest first. Errors: `not_found` when nothing matches and the named affiliate does not
 * exist.
 */
export async function listClaims(context: Context, query: ListClaims): Promise<RowPage<ClaimRow>> {
  const { database, organization } = context;
  const { states, affiliate_id } = query;
  const email = query.email === undefined ? undefined : lowerCase(query.email.trim());
  const page = await readRowPage(query, {
    read: (range) => listRows(database, organization.id, { filter: { states, affiliate_id, email }, range }),
    parse: readIdPosition,
    positionOf: ({ id }) => id,
    view: viewClaim,
  });
  if (page.data.length === 0 && affiliate_id !== undefined) await requireAffiliate(context, affiliate_id);
  return page;
}
