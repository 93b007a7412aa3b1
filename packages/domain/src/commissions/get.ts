import type { Commission } from "@findersfee/contract/commissions/commissions";
import { findCommission } from "@findersfee/database/commissions/commissions";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewCommission } from "./view.ts";

/** One commission with its affiliate, referral and payout. Errors: `not_found`. */
export async function getCommission({ database, organization }: Context, id: string): Promise<Commission> {
  const row = await findCommission(database, organization.id, id);
  if (row === null) throw notFound("commission");
  return viewCommission(row, organization.currency);
}
