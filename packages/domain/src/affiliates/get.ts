import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewAffiliate } from "./view.ts";

/** One affiliate with its campaign. Errors: `not_found`. */
export async function getAffiliate({ database, organization }: Context, id: string): Promise<Affiliate> {
  const row = await findAffiliate(database, organization.id, id);
  if (row === null) throw notFound("affiliate");
  return viewAffiliate(row, organization.currency);
}
