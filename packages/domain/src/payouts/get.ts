import type { Payout } from "@findersfee/contract/payouts/payouts";
import { findPayout } from "@findersfee/database/payouts/payouts";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { viewPayout } from "./view.ts";

/** One payout with its affiliate. Errors: `not_found`. */
export async function getPayout({ database, organization }: Context, id: string): Promise<Payout> {
  const row = await findPayout(database, organization.id, id);
  if (row === null) throw notFound("payout");
  return viewPayout(row, organization.currency);
}
